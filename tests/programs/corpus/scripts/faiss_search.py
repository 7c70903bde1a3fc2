# SPDX-License-Identifier: Apache-2.0
"""Nearest neighbours by faiss, in a flat index and in an inverted one."""
import faiss
import numpy

dice = numpy.random.default_rng(4)
known = dice.normal(size=(40000, 48)).astype("float32")
asked = known[:800] + 0.01
for text in ("Flat", "IVF64,Flat"):
    index = faiss.index_factory(48, text)
    index.train(known)
    index.add(known)
    _, found = index.search(asked, 5)
    print(text, found[:, 0].sum(), found[:, 1].sum())
index = faiss.index_factory(48, "HNSW16")  # which edges it gets depends on the order of its threads
index.add(known[:10000])
_, found = index.search(known[:800], 1)
print("HNSW16", (found[:, 0] == numpy.arange(800)).mean() > 0.8)
