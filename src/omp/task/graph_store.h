// SPDX-License-Identifier: Apache-2.0
// The repeated graphs of the process, and what was seen of phases that have none yet. Read from a file with the
// first queue of tasks, written to one at the end (TULLE_TASK_GRAPH). Any thread.
#pragma once

#include <atomic>

#include "omp/task/repeated_graph.h"

namespace tulle::omp {

// The plan of a phase that begins with this code.
struct PhasePlan {
  RepeatedGraph* graph;  // replay this; give_back_graph() is due
  bool records;
  bool watches;
};
PhasePlan plan_phase(const void* code);

// Ends of phases, by what they did. `same`: all of it was as recorded.
void give_back_graph(RepeatedGraph* graph, bool same);
// Tasks that went through passes so far.
void count_replayed(uint64_t tasks);
uint64_t tasks_replayed();
void keep_print(const void* code, uint64_t print);
// Null: it cannot be repeated, for this reason.
void keep_graph(const void* code, RepeatedGraph* graph, const char* why);
// At the program's end, before they are written; null: nothing. W: whoever keeps some only then.
extern std::atomic<void (*)()> before_writing;

}  // namespace tulle::omp
