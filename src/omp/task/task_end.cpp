// SPDX-License-Identifier: Apache-2.0
// The end of tasks: what waits for them is told, and their records go.
#include "omp/task/task_end.h"

#include <cstdlib>

#include "omp/task/depend.h"
#include "omp/task/task_count.h"
#include "omp/thread/team.h"
#include "omp/tool/events.h"

namespace tulle::omp {

namespace {

// The record of a task that had children at its end: its parent's may have been kept for it only.
TULLE_COLD void free_lingering(Thread* thread, Task* task) {
  Task* parent;
  do {
    parent = task->parent;
    free_task(thread, task);
    task = parent;
  } while (parent->balance.fetch_sub(Task::kLingering, std::memory_order_acq_rel) ==
           Task::kLingering);
}

}  // namespace

void note_task_end(Task* task) {
  ult::happens_before(task);
  ult::happens_before(&task->parent->balance);
  if (task->group != nullptr) ult::happens_before(task->group);
  ult::happens_before(&task->team->sleepers);
}

bool drop_hold(Task* task) {
  ult::happens_before(task);
  if (task->holds.fetch_sub(1, std::memory_order_acq_rel) != 1) return false;  // pairs with itself
  if (TULLE_UNLIKELY((task->bits & kTaskWatched) != 0)) {
    ult::happens_after(task);
    note_task_end(task);
  }
  return true;
}

void free_task(Thread* thread, Task* task) {
  if (TULLE_UNLIKELY(task->table != nullptr)) free_dependence_table(thread, task);
  if ((task->bits & (kTaskOwnsIcv | kTaskUntied)) != 0) {
    if ((task->bits & kTaskOwnsIcv) != 0) free(const_cast<Icv*>(task->icv));
    task->loose = false;
    task->on_ready = nullptr;
  }
  task->priority = 0;
  task->born = 0;
  task->balance.store(Task::kAlive, std::memory_order_relaxed);  // nobody refers to it
  if (thread != nullptr && thread->team == task->team) {
    TaskQueue* queue = queue_for(thread);
    queue->memory.free_owner(queue, task);
  } else {
    TaskMemory::free_any(task);
  }
}

// Whatever follows the task or waits for its group.
static void tell_others(Thread* thread, Task* task) {
  if (TULLE_UNLIKELY(task->node != nullptr)) release_dependences(thread, task);
  if (TULLE_UNLIKELY(task->group != nullptr) &&
      task->group->unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1)
    task->group->complete.signal();
}

// The balance of children that ended elsewhere.
static void tell_parent(Thread* thread, Task* parent, int64_t change) {
  int64_t left = parent->balance.fetch_add(change, std::memory_order_acq_rel) + change;
  if (no_child_alive(left)) {
    arch::fence_after_atomic();  // before the look; pairs with the waiter's in WaitList::add
    if (!parent->waiter.empty()) parent->waiter.wake_all();
  }
  if (TULLE_UNLIKELY(left == 0)) free_lingering(thread, parent);
}

void end_task(Thread* thread, Task* task, bool by_parent) {
  tell_others(thread, task);
  Task* parent = task->parent;
  bool last = childless(task);
  int64_t lingering = last ? 0 : Task::kLingering;
  if (by_parent) {
    --parent->born;
    if (!last) parent->balance.fetch_add(lingering, std::memory_order_relaxed);  // lives
  } else {
    tell_parent(thread, parent, lingering - 1);
  }
  if (last)
    free_task(thread, task);
  else if (int64_t own = Task::kAlive - task->born;
           task->balance.fetch_sub(own, std::memory_order_acq_rel) == own)
    free_lingering(thread, task);
}

void EndedSiblings::end(Thread* thread, Task* task) {
  if (!childless(task)) return end_task(thread, task, false);
  if (parent_ != task->parent || ended_ == kMost) tell(thread);
  parent_ = task->parent;
  ++ended_;
  tell_others(thread, task);
  free_task(thread, task);
}

void EndedSiblings::tell(Thread* thread) {
  if (ended_ != 0) tell_parent(thread, parent_, -int64_t{ended_});
  ended_ = 0;
}

void fulfill_event(Task* task) {
  if (TULLE_UNLIKELY((task->bits & kTaskObserved) != 0)) tool::fulfill(task);
  if (!drop_hold(task)) return;
  Team* team = task->team;
  Thread* thread = self();
  end_task(thread, task, false);
  count_finished(thread, team);
  check_completion(team);
}

}  // namespace tulle::omp
