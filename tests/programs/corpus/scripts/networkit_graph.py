# SPDX-License-Identifier: Apache-2.0
"""Centralities and distances of a graph by NetworKit."""
import networkit

graph = networkit.graph.Graph(3000)
for one in range(3000):
    for step in (1, 7 + one % 11, 301 + one % 29):
        graph.addEdge(one, (one + step) % 3000)
between = networkit.centrality.Betweenness(graph)
between.run()
ranks = networkit.centrality.PageRank(graph, tol=1e-10)
ranks.run()
print(f"{sum(s * i for i, s in enumerate(between.scores())):.10g} {max(ranks.scores()):.8g}")
