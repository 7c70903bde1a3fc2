// SPDX-License-Identifier: Apache-2.0
// The extension API for task graphs that programs build (include/tulle/task_graph.h): translation.
#include "abi/api/extension.h"
#include "base/create.h"
#include "omp/replay/built_graph.h"

namespace omp = tulle::omp;

TULLE_EXTENSION omp::BuiltGraph* tulle_task_graph_create(unsigned constructs, unsigned trips) {
  return tulle::create<omp::BuiltGraph>(omp::TaskIds{constructs, trips});
}

TULLE_EXTENSION uint64_t tulle_task_graph_add(omp::BuiltGraph* graph, unsigned construct, const unsigned* loops,
                                              unsigned depth, omp::TaskFunction function, const void* data,
                                              size_t bytes) {
  return graph->add(construct, {loops, depth}, function, data, bytes);
}

TULLE_EXTENSION void tulle_task_graph_add_edge(omp::BuiltGraph* graph, uint64_t before, uint64_t after) {
  graph->add_edge(before, after);
}

TULLE_EXTENSION int tulle_task_graph_run(omp::BuiltGraph* graph) {
  return graph->run(omp::self_or_attach()) ? 0 : -1;
}

TULLE_EXTENSION size_t tulle_task_graph_bytes(omp::BuiltGraph* graph) { return graph->bytes(); }

TULLE_EXTENSION void tulle_task_graph_destroy(omp::BuiltGraph* graph) {
  if (graph != nullptr) tulle::destroy(graph);
}
