// SPDX-License-Identifier: Apache-2.0
// Regions whose task graph is recorded the first time and replayed from then on, without the code between their
// begin and their end. A region is known by a number, of the program's own or of a compiler's, process-wide.
// Any thread; a region is ended by the task that began it.
#pragma once

#include "base/cacheline.h"
#include "omp/replay/graph_recording.h"

namespace tulle::omp {

enum class GraphNames : uint8_t { program, compiler };

struct GraphName {
  GraphNames names;
  uint64_t number;

  bool operator==(const GraphName&) const = default;
};

// True: the caller runs the region's code. False: its graph was replayed. `anew`: whatever is known of it is
// forgotten. In any case end_graph_region() follows, which waits for the region's tasks.
TULLE_MAY_SUSPEND bool begin_graph_region(Thread* thread, GraphName name, bool anew);
TULLE_MAY_SUSPEND void end_graph_region(Thread* thread);

// Forgets a graph, so that the region is recorded again.
void forget_graph(GraphName name);

extern TULLE_NEAR std::atomic<uint32_t> graph_recordings;  // that are going on

// Relaxed: a thread knows of its own recordings.
inline bool somebody_records() {
  return TULLE_UNLIKELY(graph_recordings.load(std::memory_order_relaxed) != 0);
}

// The recording of the current task's new tasks; null: none.
TULLE_COLD GraphRecording* recording_of(Thread* thread);

// The current task waits for its children, or for those that the list depends on; or makes a task without
// a body, which others wait for. For those who somebody_records().
TULLE_COLD void record_taskwait(Thread* thread);
TULLE_COLD void record_taskwait(Thread* thread, const Dependence* list, size_t count);
TULLE_COLD void record_empty_task(Thread* thread, const Dependence* list, size_t count);

// The current task does what no graph can repeat.
inline void leave_out_of_graph(Thread* thread, const char* why) {
  if (!somebody_records()) return;
  if (GraphRecording* recording = recording_of(thread)) recording->leave_out(why);
}

}  // namespace tulle::omp
