// SPDX-License-Identifier: Apache-2.0
// Recorded graphs for tests of their files: Cholesky's of 4 x 4 blocks, and the path finder's of as many.
#pragma once

#include "base/crc.h"
#include "omp/graph/recorded_graph.h"
#include "paper_graphs.h"

namespace tulle::omp {

inline void record_sample(const PaperGraph& from, RecordedGraph& to) {
  TaskGraphBuilder builder;
  DependenceOrder order(builder);
  for (const PaperTask& task : from.tasks) {
    order.add(builder.add_task(task.construct), task.items);
    to.item_counts.push(static_cast<uint16_t>(task.items.size()));
    for (const GraphItem& item : task.items)
      to.items.push(
          PatternItem::make(order.number(item.address), static_cast<uint32_t>(item.access)));
  }
  const char* problem = nullptr;
  to.graph = builder.build(&problem);
  for (uint32_t i = 0; i < to.graph.constructs(); ++i) to.constructs.push({0, 0x1000 + 0x40 * i});
}

inline void fill_sample(RecordedGraphs& sample) {
  BuildId module{20, {}};
  for (uint8_t i = 0; i < module.size; ++i) module.bytes[i] = static_cast<uint8_t>(17 * i);
  sample.modules.push(module);
  if (!sample.allocate(2)) return;
  record_sample(cholesky(4), sample.graphs[0]);
  record_sample(path_finder(4), sample.graphs[1]);
  sample.graphs[0].region = {0, 0x2000};
  sample.graphs[1].region = {0, 0x3000};
  sample.graphs[1].id = 7;
}

}  // namespace tulle::omp
