# SPDX-License-Identifier: Apache-2.0
"""Neighbours in a k-d tree by pykdtree."""
import numpy
from pykdtree.kdtree import KDTree

dice = numpy.random.default_rng(10)
tree = KDTree(dice.random((300000, 3)))
distances, found = tree.query(dice.random((300000, 3)), k=6)
print(f"{distances.sum():.12g} {int(found.astype('int64').sum())}")
