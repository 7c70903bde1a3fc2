// SPDX-License-Identifier: Apache-2.0
// Shared by the files that implement tasks only.
#pragma once

#include "base/look.h"
#include "omp/task/task.h"
#include "omp/thread/team.h"

namespace tulle::omp {

TULLE_COLD TaskQueue* find_queue(Thread* thread);

// The queue of the worker that carries `thread` now; null where a worker cannot have one.
inline TaskQueue* queue_for(Thread* thread) {
  TaskQueue* queue = thread->queue;
  if (TULLE_LIKELY(queue != nullptr && queue->owner == thread->worker)) return queue;
  return find_queue(thread);
}

// Calls the task on top of the current task's frames. Returns when its body has ended; it is
// complete then unless it is detachable: true.
TULLE_MAY_SUSPEND bool run_on_top(Thread* thread, Task* task);

// The body, in the name of `thread`; the thread in whose name it ended is self().
TULLE_MAY_SUSPEND void run_body(Thread* thread, Task* task);

// Any thread may go on with the task, which is untied, where it suspends.
void make_movable(Task* task);

// The task becomes the current one of `thread`, and ceases to be: what run_body does around a body.
void enter_body(Thread* thread, Task* task);
void leave_body(Thread* thread, Task* task);

// The caller's frames are the body of an undeferred task, until end_undeferred().
void begin_inline(Thread* thread, Task* task);

// Tools are told of a task that is made, once, and of its dependences; of the begin and the end of its body; of what
// it is called on top of; that it was cancelled before it began. A race detector is told of the same two.
TULLE_COLD void tell_tools_of(Thread* thread, Task* task, const Dependence* list, size_t count);
inline void tell_of(Thread* thread, Task* task, const Dependence* list, size_t count) {
  if (TULLE_UNLIKELY((task->bits & kTaskObserved) != 0)) tell_tools_of(thread, task, list, count);
}
inline constexpr uint32_t kTaskNoted = kTaskWatched | kTaskObserved;
TULLE_COLD void note_body_begin(Thread* thread, Task* task);
TULLE_COLD void note_body_end(Thread* thread, Task* task);
TULLE_COLD void note_above(Task* task, const Task* outer);
TULLE_COLD void note_dropped(Task* task);

// A task that a race detector watches ends: before whatever waits for it goes on.
TULLE_COLD void note_task_end(Task* task);

// The body has ended. True if the task is complete: end_task() is due.
bool drop_hold(Task* task);
inline bool body_ended(Task* task) {
  return TULLE_LIKELY((task->bits & kTaskDetachable) == 0) || drop_hold(task);
}

// A complete task: releases what depends on it, tells its group and its parent, frees the record.
// `thread` null: an OS thread that is none of the team's. `by_parent`: called by the parent's frames.
void end_task(Thread* thread, Task* task, bool by_parent);

// The same for one that ran on top of the current task's parent, which is current again.
bool end_on_top(Thread* thread, Task* task, Task* outer);

// Counts a complete task, when its thread's identity is free again.
void count_finished(Thread* thread, Team* team);

// A task that may begin goes where somebody will find it. `thread` null: an OS thread that is none
// of the team's.
void make_task_ready(Thread* thread, Task* task);
// The same, once it is known that this is to its worker's queue.
inline void push_own(TaskQueue* queue, Task* task) {
  if (!queue->deque.push_owner(task)) task->team->tasks.push_shared(task);
}

// A task is queued; somebody who sleeps may want it.
void offer(const Team* team);

// A task that some policy has a say in; prefers_call() said no.
TULLE_MAY_SUSPEND void submit_by_policy(Thread* thread, Task* task);
// One that is counted and may begin.
TULLE_MAY_SUSPEND void begin_by_policy(Thread* thread, Task* task);
// So many tasks are unfinished that a new one is to be called.
TULLE_MAY_SUSPEND bool cut_off(Thread* thread, uint32_t limit);
// Then: one that is counted. Called if it may begin; its maker waits for room unless it is complete then.
TULLE_MAY_SUSPEND void submit_at_limit(Thread* thread, Task* task, bool ready);

// Makers of tasks go on if enough are finished; or in any case.
void relieve_makers(Team* team);
inline void wake_makers(Team* team) {
  if (TULLE_UNLIKELY(!team->tasks.makers.empty())) team->tasks.makers.wake_all();
}
inline void wake_yielders(Team* team) {
  if (TULLE_UNLIKELY(!team->tasks.yielders.empty())) team->tasks.yielders.wake_all();
}

// A task is made. The team's first one since the last barrier marks it (omp/worksharing/barrier.cpp).
TULLE_COLD void mark_used(Thread* thread);
inline void count_created(Thread* thread, TaskQueue* queue) {
  if (TULLE_UNLIKELY(!thread->team->tasks.used(thread->next_barrier))) mark_used(thread);
  queue->created.store(queue->created.load(std::memory_order_relaxed) + 1,
                       std::memory_order_release);  // pairs with quiescent()
}

// Frees the record and what hangs on it; nothing refers to it any more.
void free_task(Thread* thread, Task* task);

// Completes the barrier that waits for the team's tasks, if it is due.
void complete_barrier(Team* team);

// Looks whether the barrier or join that waits for the team's tasks is done.
void check_completion(Team* team);

// Tasks that a thread's first descent into a tree of tasks may keep: twice as many as trees of searches are deep.
inline constexpr uint32_t kDescent = 256;

// Whether another task may be called on top. The rest of the stack is for what the tasks on it need
// themselves: recursion goes on with another.
inline bool has_stack(const Thread* thread) {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) >= thread->worker->stack->middle;
}

// Any thread may go on with this task while another runs.
inline bool takeable(const Task* task) {
  constexpr uint32_t kDeepest = 4096;  // each of them keeps a stack
  return (task->bits & kTaskMovable) != 0 && task->depth < kDeepest;
}

// Calls the newest task of this worker's queue if it is a child of `parent`, the current task. False: none was.
TULLE_MAY_SUSPEND bool run_child(Thread* thread, const Task* parent);

// The implicit task waits, or may have waited: a stretch ends (task_choice.h).
inline void end_stretch(Thread* thread) {
  if (TULLE_LIKELY(!thread->times)) return;
  thread->times = false;
  ++thread->stretches;
}

// Tasks of the team go first, if some are queued; in this thread's name, too: it is lent while what it stands for
// waits.
TULLE_MAY_SUSPEND void give_way_to_tasks(Team* team);

// A wait for the team's tasks need not include this one: its parent's frames do, and nobody
// else can complete it.
inline bool counted(uint32_t bits) {
  return (bits & (kTaskUndeferred | kTaskDetachable)) != kTaskUndeferred;
}

// Owner of the queue: a task is finished.
inline void add_finished(TaskQueue* queue, Team* team) {
  constexpr uint64_t kLookEvery = 64;
  uint64_t finished = queue->finished.load(std::memory_order_relaxed) + 1;
  queue->finished.store(finished, std::memory_order_release);  // pairs with quiescent()
  if (TULLE_UNLIKELY(finished % kLookEvery == 0)) relieve_makers(team);
}

// Whether a balance says that no child that it knows of is alive.
inline bool no_child_alive(int64_t balance) {
  return static_cast<uint32_t>(balance) == static_cast<uint32_t>(Task::kAlive);
}

// No child is alive and no complete one has a record.
inline bool childless(const Task* task) {
  return task->born == 0 && task->balance.load(std::memory_order_acquire) == Task::kAlive;
}

inline int32_t live_children(const Task* task) {
  return static_cast<int32_t>(task->balance.load(std::memory_order_acquire) - Task::kAlive) +
         task->born;
}

// Makes children so far visible in the balance: from then on only `balance` tells about them.
inline void account_children(Task* task) {
  if (task->born == 0) return;
  task->balance.fetch_add(task->born, std::memory_order_relaxed);
  task->born = 0;
}

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
// nothing. Relaxed: servers of tasks look as a hint until they hold the thread.
inline const Task* constraint_of(const Thread* thread) {
  auto* innermost = static_cast<const Task*>(thread->innermost.load(std::memory_order_relaxed));
  if (innermost == &thread->implicit && innermost->bare.load(std::memory_order_relaxed) == 0) return nullptr;
  return constraint_slow(thread, innermost);
}

}  // namespace tulle::omp
