# SPDX-License-Identifier: Apache-2.0
"""scikit-learn, LightGBM, XGBoost and faiss from PyPI under the wheel: the answers that they give on their own
runtimes, in this process, in forked and spawned ones, in joblib's (loky) and in a notebook of Jupyter's.
usage: learn.py WHEEL FOLDER     FOLDER gets a virtual environment, once"""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

PACKAGES = ("scikit-learn", "lightgbm", "xgboost-cpu", "faiss-cpu", "nbconvert", "ipykernel")
PROGRAM = '''
import multiprocessing, sys
import tulle

def answers(seed):
    """What each library makes of the same data, and whether it ran on Tulle."""
    import faiss, lightgbm, numpy, xgboost
    from sklearn.cluster import KMeans
    from sklearn.ensemble import HistGradientBoostingClassifier
    random = numpy.random.default_rng(seed)
    x = random.normal(size=(4000, 12))
    y = (x[:, 0] * x[:, 1] + x[:, 2] > 0).astype(int)
    trees = HistGradientBoostingClassifier(max_iter=15, random_state=0).fit(x, y)
    boosted = lightgbm.LGBMClassifier(n_estimators=15, random_state=0, verbose=-1, num_threads=4, deterministic=True,
                                      force_row_wise=True).fit(x, y)
    other = xgboost.XGBClassifier(n_estimators=15, random_state=0, n_jobs=4, tree_method="hist").fit(x, y)
    centres = KMeans(5, n_init=2, random_state=0).fit(x).inertia_
    index = faiss.IndexFlatL2(12)
    index.add(x.astype("float32"))
    _, near = index.search(x[:300].astype("float32"), 4)
    return (int(trees.predict(x).sum()), int(boosted.predict(x).sum()), int(other.predict(x).sum()),
            round(float(centres), 4), int(near.sum()), tulle.in_use())

if __name__ == "__main__":
    how = sys.argv[1]
    seeds = [1, 2, 3]
    if how == "here":
        print([answers(seed) for seed in seeds])
    elif how == "loky":
        from joblib import Parallel, delayed
        print(Parallel(n_jobs=2)(delayed(answers)(seed) for seed in seeds))
    else:
        if how == "fork":
            answers(9)  # teams that the children do not have
        with multiprocessing.get_context(how).Pool(2) as pool:
            print(pool.map(answers, seeds))
'''
WHEEL, FOLDER = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]).resolve()
PYTHON = FOLDER / "venv" / "bin" / "python"


def prepare():
    FOLDER.mkdir(parents=True, exist_ok=True)
    pip = [PYTHON, "-m", "pip", "install", "-q", "--disable-pip-version-check"]
    fetched = FOLDER / "fetched.txt"
    if not fetched.exists() or fetched.read_text() != " ".join(PACKAGES):
        print(f"fetching {', '.join(PACKAGES)} from PyPI into {FOLDER}", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", FOLDER / "venv"], check=True)
        subprocess.run([*pip, *PACKAGES], check=True)
        fetched.write_text(" ".join(PACKAGES))
    subprocess.run([*pip, "--no-index", "--force-reinstall", WHEEL], check=True)
    (FOLDER / "learn.py").write_text(PROGRAM)


def answers(how, *before, **variables):
    done = subprocess.run([PYTHON, *before, FOLDER / "learn.py", how], capture_output=True, text=True, timeout=600,
                          check=False, env={"PATH": "/usr/bin:/bin", "OMP_NUM_THREADS": "4", **variables})
    if done.returncode != 0:
        raise AssertionError(f"status {done.returncode}\n{done.stderr[-2000:]}")
    return eval(done.stdout.splitlines()[-1])  # what PROGRAM printed


def notebook_says(*before, **variables):
    """What a notebook's kernel answers, which nbconvert starts."""
    code = PROGRAM.partition("if __name__")[0] + "\nprint([answers(seed) for seed in (1, 2, 3)])"
    notebook = {"nbformat": 4, "nbformat_minor": 5, "metadata": {},
                "cells": [{"cell_type": "code", "id": "a", "metadata": {}, "execution_count": None, "outputs": [],
                           "source": code}]}
    with tempfile.TemporaryDirectory() as scratch:
        file = pathlib.Path(scratch) / "learn.ipynb"
        file.write_text(json.dumps(notebook))
        done = subprocess.run([PYTHON, *before, "-m", "nbconvert", "--to", "notebook", "--execute", "--inplace", file],
                              capture_output=True, text=True, timeout=600, check=False,
                              env={"PATH": "/usr/bin:/bin", "HOME": scratch, "OMP_NUM_THREADS": "4", **variables})
        if done.returncode != 0:
            raise AssertionError(f"status {done.returncode}\n{done.stderr[-2000:]}")
        outputs = json.loads(file.read_text())["cells"][0]["outputs"]
    return eval("".join(line for output in outputs if output.get("name") == "stdout" for line in output["text"]))


class Learn(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        prepare()
        cls.own = answers("here")
        assert not any(row[-1] for row in cls.own)
        cls.wanted = [(*row[:-1], True) for row in cls.own]

    def test_in_this_process(self):
        self.assertEqual(answers("here", TULLE="1"), self.wanted)
        self.assertEqual(answers("here", "-m", "tulle", "run"), self.wanted)

    def test_forked(self):
        self.assertEqual(answers("fork", TULLE="1"), self.wanted)

    def test_spawned(self):
        self.assertEqual(answers("spawn", TULLE="1"), self.wanted)
        self.assertEqual(answers("spawn", "-m", "tulle", "run"), self.wanted)

    def test_loky(self):
        self.assertEqual(answers("loky", TULLE="1"), self.wanted)

    def test_notebook(self):
        self.assertEqual(notebook_says(), self.own)
        self.assertEqual(notebook_says(TULLE="1"), self.wanted)
        self.assertEqual(notebook_says("-m", "tulle", "run"), self.wanted)


unittest.main(argv=sys.argv[:1], verbosity=2)
