// SPDX-License-Identifier: Apache-2.0
// Closed replay: runs all tasks of a graph as tasks of the current one.
#pragma once

#include "omp/replay/closed_graph.h"
#include "omp/thread/thread.h"

namespace tulle::omp {

// Returns when all of them and their descendants are complete. The calling task's data are those of the
// recording: what tasks captured by value is as it was then.
TULLE_MAY_SUSPEND void replay(Thread* thread, const ClosedGraph& graph);

}  // namespace tulle::omp
