# SPDX-License-Identifier: Apache-2.0
"""Boosted trees of LightGBM."""
import lightgbm
import numpy

dice = numpy.random.default_rng(2)
points = dice.normal(size=(30000, 20))
wanted = points[:, 0] * points[:, 1] + points[:, 2]
model = lightgbm.LGBMRegressor(n_estimators=80, deterministic=True, force_row_wise=True, random_state=0, verbose=-1)
print(model.fit(points, wanted).predict(points).sum())
