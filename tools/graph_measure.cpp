// SPDX-License-Identifier: Apache-2.0
#include "graph_measure.h"

#include <algorithm>
#include <queue>

namespace tulle::tools {
namespace {

using omp::TaskGraph;

// Inputs before outputs.
std::vector<std::uint32_t> order_of(const TaskGraph& graph) {
  std::vector<std::uint32_t> missing(graph.tasks()), order;
  order.reserve(graph.tasks());
  for (std::uint32_t i = 0; i < graph.tasks(); ++i)
    if ((missing[i] = graph.inputs(i)) == 0) order.push_back(i);
  for (std::size_t i = 0; i < order.size(); ++i)
    graph.for_each_output(order[i], [&](std::uint32_t output) {
      if (--missing[output] == 0) order.push_back(output);
    });
  return order;
}

// Tasks on the longest path from each one to an end, itself included.
std::vector<std::uint32_t> lengths_ahead(const TaskGraph& graph) {
  std::vector<std::uint32_t> order = order_of(graph), ahead(graph.tasks());
  for (std::size_t i = order.size(); i-- > 0;) {
    std::uint32_t longest = 0;
    graph.for_each_output(order[i], [&](std::uint32_t output) {
      longest = std::max(longest, ahead[output]);
    });
    ahead[order[i]] = longest + 1;
  }
  return ahead;
}

// What must run in the last `d` units cannot begin earlier: for each d, Fernandez and Bussell's bound with
// the tasks that have at least so long a path ahead.
std::uint32_t bound_of(const std::vector<std::uint32_t>& ahead, std::uint32_t cores) {
  std::vector<std::uint32_t> count;
  for (std::uint32_t length : ahead) {
    if (count.size() <= length) count.resize(length + 1);
    ++count[length];
  }
  std::uint32_t bound = 0, at_least = 0;
  for (std::uint32_t length = static_cast<std::uint32_t>(count.size()); length-- > 1;) {
    at_least += count[length];
    // They take so many units, and the last to end has length - 1 further tasks behind it.
    bound = std::max(bound, (at_least + cores - 1) / cores + length - 1);
  }
  return bound;
}

}  // namespace

GraphLevels levels_of(const TaskGraph& graph) {
  GraphLevels levels;
  levels.of_task.resize(graph.tasks());
  for (std::uint32_t task : order_of(graph)) {
    std::uint32_t level = levels.of_task[task];
    if (levels.width.size() <= level) levels.width.resize(level + 1);
    ++levels.width[level];
    graph.for_each_output(task, [&](std::uint32_t output) {
      levels.of_task[output] = std::max(levels.of_task[output], level + 1);
    });
  }
  return levels;
}

Schedule schedule_of(const TaskGraph& graph, std::uint32_t cores) {
  std::vector<std::uint32_t> ahead = lengths_ahead(graph), missing(graph.tasks());
  Schedule schedule;
  schedule.cores.resize(cores);
  schedule.bound = bound_of(ahead, cores);
  auto later = [&](std::uint32_t a, std::uint32_t b) {
    return ahead[a] != ahead[b] ? ahead[a] < ahead[b] : a > b;
  };
  std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, decltype(later)> ready(later);
  for (std::uint32_t i = 0; i < graph.tasks(); ++i)
    if ((missing[i] = graph.inputs(i)) == 0) ready.push(i);
  for (; !ready.empty(); ++schedule.length) {
    std::vector<std::uint32_t> begun;
    for (auto& core : schedule.cores) {
      core.push_back(ready.empty() ? kIdle : ready.top());
      if (ready.empty()) continue;
      begun.push_back(ready.top());
      ready.pop();
    }
    for (std::uint32_t task : begun)
      graph.for_each_output(task, [&](std::uint32_t output) {
        if (--missing[output] == 0) ready.push(output);
      });
  }
  return schedule;
}

}  // namespace tulle::tools
