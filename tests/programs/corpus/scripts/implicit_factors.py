# SPDX-License-Identifier: Apache-2.0
"""Alternating least squares by implicit."""
import numpy
import scipy.sparse
from implicit.als import AlternatingLeastSquares

bought = scipy.sparse.random(6000, 3000, 0.01, format="csr", dtype="float32", random_state=8)
model = AlternatingLeastSquares(factors=32, iterations=6, random_state=8, use_gpu=False)
model.fit(bought, show_progress=False)
print(f"{numpy.abs(model.item_factors).sum(dtype='float64'):.9g}")
