// SPDX-License-Identifier: Apache-2.0
// Running the tasks of a team as part of its bubble.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/cpu.h"
#include "omp/task/task.h"
#include "omp/thread/team.h"

namespace tulle::omp {

// As part of the team's bubble: runs tasks in the name of waiting threads. Null: none could be run.
sched::Worker* serve_tasks(Team* team, sched::Worker* worker);
// A hint: a task is queued, and a thread waits in whose name it could run on `worker`; null: on a
// worker of the pool.
bool can_serve_tasks(Team* team, const sched::Worker* worker);

// Stands for any task without descendants.
struct NoAncestor : Task {
  constexpr NoAncestor() { depth = UINT32_MAX; }
};
extern const NoAncestor no_ancestor;

// The rest of constraint_of().
TULLE_COLD const Task* constraint_slow(const Thread* thread, const Task* innermost);

// Which task may begin above the frames of `thread` (OpenMP 5.2 §12.9): a tied one only as a descendant of the
// innermost tied task, null if that is the implicit one. A body without a record (task_bare.h) on top of it
// is a tied task too, of which nothing descends; what waits for something outside of the runtime constrains
// nothing. Servers of tasks look as a hint until they hold the thread; acquire: it pairs with push and pop, so that they
// find records that were made.
inline const Task* constraint_of(const Thread* thread) {
  auto* innermost = static_cast<const Task*>(thread->innermost.load(std::memory_order_acquire));
  if (innermost == &thread->implicit && innermost->bare.load(std::memory_order_relaxed) == 0) return nullptr;
  return constraint_slow(thread, innermost);
}

}  // namespace tulle::omp
