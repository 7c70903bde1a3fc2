// SPDX-License-Identifier: Apache-2.0
// Whether a new task is called where it is made or kept for others: the one place where that is decided.
//
// A task is called where nobody else could run it, where enough are kept for everybody, and where it is too
// short: to keep one costs its maker more than to call it. Both are measured. The maker looks at the clock for
// some of those that it keeps and for some of those that it calls; whoever runs a kept one that is timed
// (kTaskTimed) tells how long it was (omp/queue/task_sites.h). A maker that is an explicit task itself cannot
// tell how much work its tasks are, since they make further ones: for those, thieves learn from what they
// steal (task_serve.cpp).
//
// Order: a task that is called comes before those that are made after it, while those that are kept are called
// newest first at a taskwait. Searches that make the more promising task last rely on the latter: one which bounds
// itself by the best that it found visited 200 times as many nodes. So each thread keeps what it makes on its first
// way down from the top of a tree of tasks (Thread::descent), which is until a taskwait below the top is through.
// From then on there is a first solution, and order is of little weight.
#pragma once

#include <algorithm>
#include <cstdint>

#include "omp/queue/task_policy.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_ready.h"

namespace tulle::omp {

// The three parts of the decision, in teams in which others could run the task: a maker that is no explicit
// task; one that is; one whose worker has no queue yet.
bool choose_by_length(Thread* thread, uint16_t site, uint32_t bits);
bool choose_by_depth(Thread* thread, uint32_t bits, uint32_t limit);
TULLE_COLD bool choose_anew(Thread* thread, uint16_t site, uint32_t bits);

// A new task of these TaskBits is better called than kept, though others could run it. May be asked for any
// task; submit_task() does so itself, defer_task() does not.
inline bool enough_queued(Thread* thread, uint16_t site, uint32_t bits) {
  TaskQueue* queue = thread->queue;
  if (TULLE_UNLIKELY(queue == nullptr || queue->owner != thread->worker)) return choose_anew(thread, site, bits);
  const Task* maker = thread->task();
  const TaskPolicy& policy = task_policies.of(maker);
  uint32_t depth = maker->depth + maker->bare.load(std::memory_order_relaxed);  // W: this thread
  if (depth != 0 || !policy.by_length)
    return choose_by_depth(thread, bits, policy.queued[std::min(depth, TaskPolicy::kDepths)]);
  // Between two looks at the clock there is nothing more to it.
  MakerCosts& costs = queue->maker;
  if (task_sites.are_short(site)) {
    if (TULLE_LIKELY(--costs.until_look != 0)) return true;
  } else if (!queue->deque.holds_owner(policy.queued[0])) {
    if (TULLE_LIKELY(--costs.until_timed != 0)) return false;
  }
  return choose_by_length(thread, site, bits);
}

// The same for any team.
inline bool prefers_call(Thread* thread, uint16_t site, uint32_t bits) {
  return calls_all(thread) || enough_queued(thread, site, bits);
}

// How long tasks are decides for those that this thread makes now: it is no explicit task.
bool by_length(const Thread* thread);

// A new task of this site has nothing to wait for, whatever its dependences are: its siblings are complete, or
// were so short that they are by now.
TULLE_MAY_SUSPEND bool depends_on_nothing(Thread* thread, uint16_t site);

// A new task, before it has a record.
struct NewTask {
  uint16_t site;
  uint32_t bits;  // kTaskUndeferred: its maker waits for it; kTaskFollows: it has dependences
  bool needs_record;  // for an event, a priority, copies of its data, or since it has one
};

enum class Choice : uint8_t {
  bare,      // is called, and needs no record: call_task()
  in_place,  // is called by a maker that waits for it, and for its dependences first
  keep,      // is kept: defer_task()
  submit,    // has a record made, and goes where that and its dependences say: submit_task()
};

// For a task that needs no record and follows nothing it has two parts, which the plainest of GCC's tasks are asked in
// turn, for the code between them: what the maker settles, which waits for the task or is alone; and enough_queued().
inline bool called_at_once(Thread* thread, bool deferred) {
  return calls_all(thread) || !deferred || runs_at_once(thread);
}

// And for one that only has dependences: its maker has no children, so it follows nothing, and may be asked about so.
inline bool follows_nothing(Thread* thread, uint32_t bits) {
  return can_be_bare(thread->task(), bits) && has_no_children(thread);
}

inline bool follower_called(Thread* thread, uint16_t site, uint32_t bits, bool deferred) {
  return !deferred || runs_at_once(thread) || prefers_call(thread, site, bits | kTaskFollows);
}

// The whole decision.
TULLE_MAY_SUSPEND inline Choice choose(Thread* thread, const NewTask& task) {
  bool waits = (task.bits & kTaskUndeferred) != 0 || runs_at_once(thread);
  bool bare = !task.needs_record;
  if (bare && (task.bits & kTaskFollows) != 0) {
    bare = depends_on_nothing(thread, task.site);
    thread = self();
  }
  if (!bare) return waits ? Choice::in_place : Choice::submit;
  if (waits || prefers_call(thread, task.site, task.bits)) return Choice::bare;
  return (task.bits & kTaskFollows) != 0 ? Choice::submit : Choice::keep;
}

// A task that one of the above was asked about, and that is counted, goes where somebody will find it.
TULLE_MAY_SUSPEND void keep_timed(Thread* thread, TaskQueue* queue, Task* task);
TULLE_MAY_SUSPEND inline void keep(Thread* thread, TaskQueue* queue, Task* task) {
  if (TULLE_UNLIKELY(queue->maker.keeping_since != 0))
    keep_timed(thread, queue, task);
  else
    make_task_ready(thread, task);
}
// The stretch of a maker that is no explicit task, from one of its waits to the next: a count, so that a match by
// chance lies hundreds of waits back.
inline uint8_t stretch_of(const Thread* thread) {
  return static_cast<uint8_t>(thread->stretches + thread->next_barrier);
}
// Its new task, which is not published yet, is timed by whoever runs it.
void time_task(Thread* thread, TaskQueue* queue, Task* task);
// A timed task is kept, which took until now. Before those of its site are called for the first time, its maker gives
// way to it: one that waits for what the maker does next has a stack of its own then.
TULLE_MAY_SUSPEND void note_kept(Thread* thread, TaskQueue* queue, bool depends);

// Which timed task it was that ended: of which site, made by whom in which stretch.
inline uint64_t ended_as(const Task* maker, uint8_t stretch, uint16_t site) {
  return reinterpret_cast<uintptr_t>(maker) / sizeof(Task) << 24 | uint32_t{stretch} << 16 | site;
}

// Cycles: what a kept task costs whoever runs it, its maker in the end where nobody takes it.
inline constexpr uint32_t kRunningCost = 200;

// And what it costs its maker to keep one: a hint.
inline uint32_t cost_of_keeping(const TaskQueue* queue, bool depends) {
  return queue->maker.cost[depends ? 1 : 0].load(std::memory_order_relaxed);
}

// A task that was kept and timed has ended, after so many cycles. If its maker makes another one before it waits for
// anything, the task did not wait for what the maker does afterwards, and neither would one that is called.
TULLE_COLD inline void note_length(const Task* task, uint64_t cycles) {
  // A part of it that is still to come tells: Clang's untied tasks do nothing in the first one but hand the next one on.
  if ((task->bits & kTaskDetachable) != 0 && task->holds.load(std::memory_order_relaxed) != 1) return;
  if (cycles >= cost_of_keeping(task->home, task->node != nullptr) + kRunningCost)
    return task_sites.note_long(task->site);
  task_sites.note_short(task->site);
  // Relaxed: a hint.
  task->home->maker.ended.store(ended_as(task->parent, task->stretch, task->site), std::memory_order_relaxed);
}

}  // namespace tulle::omp
