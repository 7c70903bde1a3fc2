// SPDX-License-Identifier: Apache-2.0
// The graphs of the process by the names of their regions. Any thread.
#pragma once

#include "omp/replay/graph_region.h"

namespace tulle::omp {

// The plan of a region that begins: replay `graph`, which the caller drops; or run its code, and record it or not.
struct GraphPlan {
  ClosedGraph* graph;
  bool records;
};

// `anew`: what is known is forgotten.
GraphPlan plan_graph(GraphName name, bool anew);

// The outcome of a recording that plan_graph() asked for; null: the region is left out, for this reason.
void keep_graph(GraphName name, ClosedGraph* graph, const char* why);

}  // namespace tulle::omp
