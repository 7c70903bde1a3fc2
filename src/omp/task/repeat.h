// SPDX-License-Identifier: Apache-2.0
// Graphs that unmodified programs repeat (TULLE_TASK_GRAPH). A *phase* is what a task creates with dependences
// between two points where it has waited for all of its children: taskwait, barrier, its own end. A phase that was
// seen twice alike is recorded the third time and replayed from then on. What differs goes on in the ordinary way, and
// is recorded anew the next time; a phase that differs again and again is left alone, with one line.
// Owner: the task that creates them, through its table of dependences.
#pragma once

#include <span>

#include "omp/task/graph_mode.h"
#include "omp/task/task.h"

namespace tulle::omp {

class GraphRun;
struct Phase;

// Each task with dependences is to be seen, though it could be called at once.
inline bool graphs_see_all() { return graphs_repeat() && graph_mode == GraphMode::record; }

// A graph from a file is to take the place of the dependences, so that none of a pass's tasks is called unseen, however
// short it is.
bool pass_goes_on(Thread* thread);
inline bool graphs_go_first(Thread* thread) {
  const GraphMode mode = graph_mode.load(std::memory_order_relaxed);
  return mode == GraphMode::record || (mode == GraphMode::replay && pass_goes_on(thread));
}

// A child of the current task, which says this, is about to be entered into the table. In a pass: through it, and
// `run->enter()` is due; else as ever. `stops`: a pass that ends here, whose live tasks are to be entered first.
struct Entrance {
  GraphRun* run;
  bool enters;
};
Entrance see_task(Thread* thread, const void* code, std::span<const Dependence> list);
// The same for one that its parent waits for, or for a wait without a task.
Entrance see_wait(Thread* thread, const void* code, std::span<const Dependence> list);

// All tasks of the phase are complete.
void end_phase(Phase* phase);

}  // namespace tulle::omp
