# SPDX-License-Identifier: Apache-2.0
"""Fits two models of scikit-learn, whose wheel brings a libgomp of its own under another name.

Prints elapsed and CPU seconds of the fits, and a checksum of what the models say.
"""
import hashlib
import time

import numpy
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingClassifier

random = numpy.random.default_rng(7)
points = random.normal(size=(1500, 20))
classes = (points[:, :5].sum(axis=1) > 0).astype(int)

started, cpu_started = time.perf_counter(), time.process_time()
boosted = HistGradientBoostingClassifier(max_iter=80, random_state=0).fit(points, classes)
clusters = KMeans(8, n_init=8, random_state=0).fit(points)
elapsed, cpu = time.perf_counter() - started, time.process_time() - cpu_started

answer = boosted.predict(points).tobytes() + clusters.labels_.astype("int32").tobytes()
print(f"{elapsed:.6f} {cpu:.6f} {hashlib.sha256(answer).hexdigest()}")
