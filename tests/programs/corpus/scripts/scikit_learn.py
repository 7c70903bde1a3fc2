# SPDX-License-Identifier: Apache-2.0
"""Clusters and boosted trees of scikit-learn."""
import numpy
from sklearn.cluster import KMeans
from sklearn.ensemble import HistGradientBoostingRegressor

dice = numpy.random.default_rng(1)
points = dice.normal(size=(20000, 20))
print(KMeans(12, n_init=3, random_state=0).fit(points).inertia_)
model = HistGradientBoostingRegressor(max_iter=60, random_state=0).fit(points, points[:, 0] * points[:, 1])
print(model.predict(points).sum())
