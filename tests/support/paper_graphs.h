// SPDX-License-Identifier: Apache-2.0
// The graphs of the two programs that the P-SOCRATES book measures (section 6.4.3): Cholesky's factorization of
// a matrix of n x n blocks, and the path finder, of whose n x n blocks each follows those above and to the left.
// What their tasks name in depend clauses, in the order in which the programs create them.
#pragma once

#include <vector>

#include "omp/graph/dependence_order.h"

namespace tulle::omp {

struct PaperTask {
  uint32_t construct;
  std::vector<uint32_t> loops;
  std::vector<GraphItem> items;
};

struct PaperGraph {
  uint32_t constructs, trips;
  std::vector<PaperTask> tasks;
};

inline uintptr_t block_address(uint32_t n, uint32_t row, uint32_t column) {
  return 4096 + 64 * (uintptr_t{row} * n + column);
}

inline PaperGraph cholesky(uint32_t n) {
  using enum DependenceKind;
  PaperGraph graph{5, n, {}};
  auto block = [n](uint32_t row, uint32_t column) { return block_address(n, row, column); };
  for (uint32_t k = 0; k < n; ++k) {
    graph.tasks.push_back({0, {k}, {{block(k, k), out}}});
    for (uint32_t i = k + 1; i < n; ++i)
      graph.tasks.push_back({1, {k, i}, {{block(k, k), in}, {block(i, k), out}}});
    for (uint32_t i = k + 1; i < n; ++i) {
      for (uint32_t j = k + 1; j < i; ++j)
        graph.tasks.push_back(
            {2, {k, i, j}, {{block(i, k), in}, {block(j, k), in}, {block(i, j), out}}});
      graph.tasks.push_back({3, {k, i}, {{block(i, k), in}, {block(i, i), out}}});
    }
  }
  return graph;
}

inline PaperGraph path_finder(uint32_t n) {
  using enum DependenceKind;
  PaperGraph graph{2, n, {}};
  for (uint32_t i = 0; i < n; ++i)
    for (uint32_t j = 0; j < n; ++j) {
      PaperTask task{0, {i, j}, {{block_address(n, i, j), out}}};
      if (i > 0) task.items.push_back({block_address(n, i - 1, j), in});
      if (j > 0) task.items.push_back({block_address(n, i, j - 1), in});
      graph.tasks.push_back(task);
    }
  return graph;
}

// With the identifiers of Equation 6.1, or in the order of creation.
inline TaskGraph built(const PaperGraph& from, bool by_order = false,
                       Array<uint32_t>* places = nullptr) {
  TaskGraphBuilder builder = by_order ? TaskGraphBuilder()
                                      : TaskGraphBuilder(TaskIds{from.constructs, from.trips});
  DependenceOrder order(builder);
  for (const PaperTask& task : from.tasks)
    order.add(by_order ? builder.add_task(task.construct)
                       : builder.add_task(task.construct, task.loops),
              task.items);
  const char* problem = nullptr;
  return builder.build(&problem, places);
}

}  // namespace tulle::omp
