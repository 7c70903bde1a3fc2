// SPDX-License-Identifier: Apache-2.0
// The extension API for task graphs (include/tulle/graph.h): translation. Any thread.
#include "abi/api/extension.h"
#include "omp/replay/graph_region.h"
#include "omp/task/graph_store.h"
#include "omp/thread/thread.h"

namespace omp = tulle::omp;

namespace {

omp::GraphName name_of(int id) { return {omp::GraphNames::program, static_cast<uint32_t>(id)}; }

}  // namespace

TULLE_EXTENSION int tulle_graph_begin(int id) {
  return omp::begin_graph_region(omp::self_or_attach(), name_of(id), false);
}

TULLE_EXTENSION void tulle_graph_end() { omp::end_graph_region(omp::self_or_attach()); }

TULLE_EXTENSION void tulle_graph_leave_out(const char* why) {
  omp::leave_out_of_graph(omp::self_or_attach(), why);
}

TULLE_EXTENSION unsigned long tulle_graph_replayed() { return omp::tasks_replayed(); }

TULLE_EXTENSION void tulle_graph_forget(int id) { omp::forget_graph(name_of(id)); }
