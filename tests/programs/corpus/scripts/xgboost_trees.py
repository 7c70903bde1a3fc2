# SPDX-License-Identifier: Apache-2.0
"""Boosted trees of XGBoost."""
import numpy
import xgboost

dice = numpy.random.default_rng(3)
points = dice.normal(size=(30000, 20))
wanted = points[:, 0] * points[:, 1] + points[:, 2]
model = xgboost.XGBRegressor(n_estimators=80, tree_method="hist", random_state=0)
print(float(model.fit(points, wanted).predict(points).sum(dtype="float64")))
