// SPDX-License-Identifier: Apache-2.0
// Running tasks from a worker's loop, in the name of a thread of the team that waits (at a barrier,
// at the join, in a taskwait) or whose member has ended. The worker holds the thread like any other
// entity (its scheduled bit), and only while it has a task in hand: an unfinished task keeps the
// region from ending, so the thread cannot begin another one meanwhile.
#include "omp/region.h"
#include "omp/task_internal.h"
#include "os/fence.h"

namespace tulle::omp {

namespace {

// The TLS block under which `w` may run something in the name of `thread`; 0: w cannot.
uintptr_t tls_for(sched::Worker* w, const Thread* thread) {
  if (thread->tls == 0 || !thread->team->thread_locals) return w->own_tls;
  if (thread->native_tls && w->native_tls != thread->tls) return 0;
  return thread->tls;
}

bool may_lend_name(const Team* team, const Thread* member) {
  return member->active_generation.load(std::memory_order_acquire) == team->generation &&
         member->mailbox.load(std::memory_order_relaxed) == 0;  // relaxed: acquiring decides
}

// A waiting thread of the team in whose name `task` may begin, held by the caller; or null.
Thread* take_name(Team* team, sched::Worker* w, TaskQueue* queue, const Task* task) {
  for (uint32_t i = 0; i < team->nthreads; ++i) {
    uint32_t number = (queue->last_identity + i) % team->nthreads;
    Thread* member = team->members[number];
    if (!may_lend_name(team, member) || tls_for(w, member) == 0 || !member->try_acquire()) continue;
    // `innermost` is the holder's to read: checked now, not before.
    if (task->resume != nullptr || may_begin(task, member->innermost)) {
      queue->last_identity = number;
      return member;
    }
    sched::release(member);
  }
  return nullptr;
}

Task* take_task(Team* team, TaskQueue* queue, const Task* constraint) {
  auto allowed = [=](const Task* task) {
    return task->resume != nullptr || may_begin(task, constraint);
  };
  if (Task* task = team->tasks.take_shared(allowed)) return task;
  if (Task* task = queue->deque.peek_owner(); task != nullptr && allowed(task)) {
    task = queue->deque.pop_owner();
    if (task != nullptr) return task;
  }
  return team->tasks.steal(queue, allowed);
}

void put_in_place(sched::Worker* w, Thread* thread) {
  uintptr_t tls = tls_for(w, thread);
  thread->worker = w;
  // What suspends in a foreign thread's own block goes on nowhere but there.
  thread->anchor = tls == thread->tls && thread->native_tls ? w : nullptr;
  sched::use_tls(w, tls);
  sched::set_current(thread);
}

void let_go(sched::Worker* w, Thread* thread) {
  sched::use_own_tls(w);
  sched::release(thread);
}

}  // namespace

bool may_begin(const Task* task, const Task* constraint) {
  if (constraint == nullptr || (task->bits & kTaskUntied) != 0) return true;
  // The record may be freed and reused while we look: every pointer in it leads to a record, and
  // depths bound the walk; whoever takes the task looks again when it is its own.
  uint32_t steps = task->depth;
  const Task* ancestor = task;
  while (ancestor != nullptr && steps-- > 0 && ancestor->depth > constraint->depth)
    ancestor = ancestor->parent;
  return ancestor == constraint;
}

bool can_serve_tasks(const Team* team) {
  if (!team->tasks.something_queued()) return false;
  for (uint32_t i = 0; i < team->nthreads; ++i)
    if (may_lend_name(team, team->members[i])) return true;
  return false;
}

sched::Worker* serve_tasks(Team* team, sched::Worker* w) {
  TaskQueue* queue = team->tasks.queue_of(w);
  if (queue == nullptr) return nullptr;
  Task* task = take_task(team, queue, nullptr);
  if (task == nullptr) return nullptr;
  Thread* thread = take_name(team, w, queue, task);
  if (thread == nullptr) {
    team->tasks.push_shared(task);
    return nullptr;
  }
  put_in_place(w, thread);
  for (;;) {
    if (ult::Ult* ult = task->resume) {
      // Goes on where it was; that stack's own frames release the thread and count the task.
      task->resume = nullptr;
      sched::resume_as(w, thread, ult);
      return w;
    }
    if ((task->bits & kTaskUntied) != 0) task->bits |= kTaskMovable;
    run_body(thread, task);
    // The stack may be elsewhere now, and an untied task may have ended in another name.
    thread = self();
    thread->divert = nullptr;
    w = thread->worker;
    queue = queue_for(thread);
    bool complete = body_ended(task);
    if (complete) end_task(thread, task, false);
    Task* next =
        thread->has_ready() ? nullptr : take_task(team, queue, thread->innermost);
    if (next == nullptr) {
      let_go(w, thread);
      if (complete) queue->finished.store(queue->finished.load(std::memory_order_relaxed) + 1,
                                          std::memory_order_release);  // pairs with quiescent()
      check_completion(team);
      return w;
    }
    if (complete) count_finished(thread, team);
    task = next;
  }
}

void check_completion(Team* team) {
  arch::full_fence();  // the count before the looks; pairs with the waiters' registration
  if (!team->tasks.quiescent()) return;
  complete_barrier(team);
  if (!team->joiner.empty()) team->joiner.wake_all();
}

}  // namespace tulle::omp
