// SPDX-License-Identifier: Apache-2.0
// Explicit tasks (OpenMP 5.2 §12). A task is a record in a deque until somebody calls it on the
// stack at hand: its parent at a taskwait on top of its own frames, or a worker's loop, in the name
// of a thread of the team that waits. Only a task that blocks keeps a stack.
#pragma once

#include <cstddef>
#include <cstdint>

#include "omp/graph/dependence_kind.h"
#include "omp/queue/task_record.h"
#include "omp/thread/thread.h"

namespace tulle::omp {

// One item of a depend clause; `address` null with kind out means omp_all_memory.
struct Dependence {
  void* address;
  DependenceKind kind;
};

// A record for a child of the current task with room for `bytes` of data aligned to `alignment`
// behind it (Task::data points there). `bits` are TaskBits. Never null: where memory ends, the
// process ends with a message. The record inherits what a final parent or a parallel region of one
// imply (kTaskFinal, kTaskUndeferred).
Task* new_task(Thread* thread, TaskFunction function, size_t bytes, size_t alignment, uint32_t bits);

// The same in two steps: memory of which `data` alone is set, and a child of the current task. What
// does not become one is given back.
Task* allocate_task(Thread* thread, size_t bytes, size_t alignment);
void enroll_task(Thread* thread, Task* task, TaskFunction function, uint32_t bits);
void give_back_task(Thread* thread, Task* task);

// The task may run from now on: deferred, or right here if it is undeferred or the pool is full.
// With dependences it waits, in no queue, until they are satisfied; the maker of an undeferred one waits, too.
TULLE_MAY_SUSPEND void submit_task(Thread* thread, Task* task);
// `code`: what its body is known by.
TULLE_MAY_SUSPEND void submit_task(Thread* thread, Task* task, const Dependence* list, size_t count,
                                   const void* code = nullptr);

// The same for one that prefers_call() was asked about (task_choice.h).
TULLE_MAY_SUSPEND void defer_task(Thread* thread, Task* task);

// A wish: the task works on what is at `address`. Before it is submitted.
void set_affinity(Task* task, const void* address);

// The current task has no children that a new one could depend on.
bool has_no_children(const Thread* thread);

// The current task is explicit (OpenMP 5.2 §18.5.5).
bool in_explicit_task(const Thread* thread);

// The current task works on data of the thread in whose name it runs: it goes on in that name alone.
void stay_in_thread(Thread* thread);

// An undeferred child without an event and with no dependences to wait for, with data that stay where they are.
TULLE_MAY_SUSPEND void call_task(Thread* thread, TaskFunction function, void* data, uint32_t bits);

// The current task is untied and begins to work as a tied one: it goes on in this thread's name alone.
void become_tied(Thread* thread);

// Begin and end of an undeferred task whose body the caller runs itself (compilers' if(0) code).
TULLE_MAY_SUSPEND void begin_undeferred(Thread* thread, Task* task, const Dependence* list,
                                        size_t count);
TULLE_MAY_SUSPEND void end_undeferred(Thread* thread, Task* task);

// Waits for the children of the current task; with a list, for those that the list depends on.
TULLE_MAY_SUSPEND void taskwait(Thread* thread);
TULLE_MAY_SUSPEND void taskwait(Thread* thread, const Dependence* list, size_t count);
TULLE_MAY_SUSPEND void taskyield(Thread* thread);
// The calling OS thread's member, if it runs one, lets whoever it waits for go first (sched/give_way.h). False: it
// runs none, or is in a blocking section or inside a library; or in an explicit task: while that is suspended others
// run in its thread's name, and they may be waiting for what it holds.
TULLE_MAY_SUSPEND bool give_way();

// The group lies in the frame of the calling task until taskgroup_end() returns.
void taskgroup_begin(Thread* thread, TaskGroup* group);
TULLE_MAY_SUSPEND void taskgroup_end(Thread* thread);

// Cancels the innermost taskgroup of the program's: its tasks that have not begun are dropped. True
// if there is one and cancellation is on (OMP_CANCELLATION).
bool cancel_taskgroup(Thread* thread);
// That taskgroup is cancelled.
bool taskgroup_cancelled(Thread* thread);
// It is not dropped, whatever is cancelled. Before it is submitted.
void never_drop(Task* task);
// A task that could be dropped (kTaskCancellable) is: its taskgroup or its region is cancelled.
bool task_cancelled(const Task* task);

// omp_fulfill_event: the event of a detachable task. Any OS thread, also one the runtime does not
// know; never suspends.
void fulfill_event(Task* task);

// For abi/kmp: a part of an untied task has ended without the task being complete; it is queued
// again, for any thread of the team.
void requeue_untied(Thread* thread, Task* task);

// --- for barriers and regions ---

// At the join: returns when all explicit tasks of the team are complete.
TULLE_MAY_SUSPEND void finish_tasks(Thread* thread);
// After the arrival at the counter of a barrier with tasks: returns when phase `phase` is complete.
TULLE_MAY_SUSPEND void run_tasks_at_barrier(Thread* thread, uint32_t phase);

// As part of the team's bubble: runs tasks in the name of waiting threads. Null: none could be run.
sched::Worker* serve_tasks(Team* team, sched::Worker* worker);
// A hint: a task is queued, and a thread waits in whose name it could run on `worker`; null: on a
// worker of the pool.
bool can_serve_tasks(Team* team, const sched::Worker* worker);

}  // namespace tulle::omp
