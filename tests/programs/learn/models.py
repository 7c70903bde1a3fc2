# SPDX-License-Identifier: Apache-2.0
"""Fits models of scikit-learn and LightGBM alone, in threads and in processes of joblib.

Prints a checksum of what each says; with LIMITS=1 also what threadpoolctl sees of the OpenMP runtime,
and the size of teams with and without its limit.
"""
import ctypes
import hashlib
import os

import joblib
import lightgbm
import numpy
import threadpoolctl
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier

random = numpy.random.default_rng(11)
points = random.normal(size=(2000, 15))
classes = (points[:, :4].sum(axis=1) + points[:, 4] ** 2 > 1).astype(int)


def checksum(values):
    return hashlib.sha256(numpy.ascontiguousarray(values, dtype="int32").tobytes()).hexdigest()[:16]


def clusters():
    return checksum(KMeans(6, n_init=4, random_state=0).fit(points).labels_)


def boosted():
    model = HistGradientBoostingClassifier(max_iter=30, random_state=0)
    return checksum(model.fit(points, classes).predict(points))


def light():
    model = lightgbm.LGBMClassifier(n_estimators=30, deterministic=True, force_row_wise=True,
                                    random_state=0, verbose=-1)
    return checksum(model.fit(points, classes).predict(points))


MODELS = {"k-means": clusters, "histogram boosting": boosted, "LightGBM": light}


def fit(name):
    return name, MODELS[name]()


def show(where, results):
    for name, result in results:
        print(f"{where}: {name} = {result}", flush=True)


def limits():
    """Of the runtime that serves: the one in the wheel is loaded too, and nothing calls it."""
    parts = threadpoolctl.threadpool_info()
    ours = [part for part in parts if part["user_api"] == "openmp" and "tulle" in part["filepath"]]
    for part in ours:
        print(f"openmp: {part['prefix']} {part['num_threads']}")
        library = ctypes.CDLL(part["filepath"])
        print(f"largest team: {library.omp_get_max_threads()}")
        with threadpoolctl.threadpool_limits(limits=1, user_api="openmp"):
            print(f"limited: {library.omp_get_max_threads()}")
            print(f"limited k-means: {clusters()}")
        print(f"again: {library.omp_get_max_threads()}")


if __name__ == "__main__":
    show("alone", [fit(name) for name in MODELS])
    twice = list(MODELS) * 2
    show("threads", joblib.Parallel(n_jobs=4, backend="threading")(
        joblib.delayed(fit)(name) for name in twice))
    show("processes", joblib.Parallel(n_jobs=2, backend="loky")(
        joblib.delayed(fit)(name) for name in twice))
    show("alone again", [fit(name) for name in MODELS])
    if os.environ.get("LIMITS") == "1":
        limits()
