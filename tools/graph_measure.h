// SPDX-License-Identifier: Apache-2.0
// What a task graph allows, where every task takes one unit of time: levels, critical path, parallelism, and a
// static schedule on so many cores. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "omp/graph/task_graph.h"

namespace tulle::tools {

struct GraphLevels {
  std::vector<std::uint32_t> of_task;  // the longest path that leads there, in tasks before it
  std::vector<std::uint32_t> width;    // tasks of each level: parallelism over time on enough cores
  std::uint32_t critical_path() const { return static_cast<std::uint32_t>(width.size()); }
};

GraphLevels levels_of(const omp::TaskGraph& graph);

struct Schedule {
  std::vector<std::vector<std::uint32_t>> cores;  // a task for each unit of time, kIdle: none
  std::uint32_t length = 0;
  std::uint32_t bound = 0;  // no schedule on so many cores is shorter
};

inline constexpr std::uint32_t kIdle = omp::TaskGraph::kNone;

// By list scheduling: of the tasks that are ready those begin first from which the longest paths lead on
// (Hu's algorithm, the shortest schedule there is where the graph is a tree).
Schedule schedule_of(const omp::TaskGraph& graph, std::uint32_t cores);

}  // namespace tulle::tools
