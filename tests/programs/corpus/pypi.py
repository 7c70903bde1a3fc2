# SPDX-License-Identifier: Apache-2.0
"""Libraries of PyPI whose wheels bring an OpenMP, each with a script."""
from pathlib import Path

from program import Program

SCRIPTS = Path(__file__).resolve().parent / "scripts"
# name, its wheel, script, how close its numbers are to be
LIBRARIES = [
    ("scikit-learn", "scikit-learn", "scikit_learn", 1e-9),
    ("LightGBM", "lightgbm", "lightgbm_trees", 1e-9),
    ("XGBoost", "xgboost-cpu", "xgboost_trees", 1e-6),
    ("faiss", "faiss-cpu", "faiss_search", 0.0),
    ("healpy", "healpy", "healpy_sky", 1e-8),
    ("qulacs", "qulacs", "qulacs_circuit", 1e-9),
    ("FINUFFT", "finufft", "finufft_points", 1e-6),
    ("implicit", "implicit", "implicit_factors", 1e-3),
    ("PySCF", "pyscf", "pyscf_energy", 1e-7),
    ("NetworKit", "networkit", "networkit_graph", 1e-7),
    ("Qiskit Aer", "qiskit-aer", "aer_circuit", 1e-8),
    ("pykdtree", "pykdtree", "pykdtree_neighbours", 1e-9),
    ("PyTorch", "torch", "torch_layers", 1e-5),
]
# With all that PyPI's wheel for x86-64 needs to be imported it takes 5 GB: fetched only if it is asked for by name.
LARGE = ["PyTorch"]


def wheels(names: list[str]) -> list[str]:
    return [wheel for name, wheel, _, _ in LIBRARIES if name not in LARGE or name in names]


def about(script: Path) -> str:
    sentence = script.read_text(encoding="utf-8").split('"""')[1].rstrip(".")
    return sentence[0].lower() + sentence[1:]


def programs(python: Path) -> list[Program]:
    found = []
    for name, wheel, script, tolerance in LIBRARIES:
        path = SCRIPTS / f"{script}.py"
        found.append(Program(name, [str(python), str(path)], about(path), tolerance=tolerance, wheel=wheel))
    return found
