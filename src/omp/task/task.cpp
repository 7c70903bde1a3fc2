// SPDX-License-Identifier: Apache-2.0
// Creating, running and completing tasks.
#include "omp/task/task.h"

#include <algorithm>
#include <cstdlib>

#include "arch/cpu.h"
#include "base/contract.h"
#include "base/look.h"
#include "omp/queue/task_policy.h"
#include "omp/task/depend.h"
#include "omp/task/open_team.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_choice.h"
#include "omp/task/task_internal.h"
#include "os/report.h"
#include "sched/publish.h"
#include "sched/scheduler.h"

namespace tulle::omp {

namespace {

TULLE_COLD void mark_used(Thread* thread) {
  Team* team = thread->team;
  // In the name of a thread that has not left its barrier yet, a task of a team mate that has: the mark
  // says already that the team is past that barrier. It is seen, for it was set before that task was made.
  std::atomic<uint32_t>& mark = team->tasks.used_before;
  if (mark.load(std::memory_order_relaxed) != thread->next_barrier + 1)
    mark.store(thread->next_barrier, std::memory_order_relaxed);
  if (!team->may_reopen.load(std::memory_order_relaxed)) open_for_tasks(team, thread->worker);
}

// A suspended untied task is ready: any thread of the team may go on with it.
void offer_untied(sched::Ult* ult) {
  auto* task = static_cast<Task*>(ult->frame);
  set_looked_at(task->ult, ult);
  Team* team = task->team;
  team->tasks.push_shared(task);
  offer(team);
}

}  // namespace

void offer(const Team* team) {
  sched::publish_in(team);
}

void count_created(Thread* thread, TaskQueue* queue) {
  if (TULLE_UNLIKELY(!thread->team->tasks.used(thread->next_barrier))) mark_used(thread);
  queue->created.store(queue->created.load(std::memory_order_relaxed) + 1,
                       std::memory_order_release);  // pairs with quiescent()
}

TULLE_COLD TaskQueue* find_queue(Thread* thread) {
  thread->queue = thread->team->tasks.queue_of(thread->worker);
  if (thread->queue == nullptr) os::fatal("no memory for a queue of tasks");
  return thread->queue;
}

// Its record had another task before. Then what its maker did is ordered before its begin, its end
// before that of whatever waits for it.
TULLE_COLD static void watch_task(Task* task) {
  set_looked_at(task->bits, task->bits | kTaskWatched);
  ult::happens_after(task);
}

TULLE_COLD void note_task_end(Task* task) {
  ult::happens_before(task);
  ult::happens_before(&task->parent->balance);
  if (task->group != nullptr) ult::happens_before(task->group);
  ult::happens_before(&task->team->sleepers);
}

Task* allocate_task(Thread* thread, size_t bytes, size_t alignment) {
  TaskQueue* queue = queue_for(thread);
  Task* task = queue->memory.allocate(queue, bytes, alignment);
  if (TULLE_UNLIKELY(task == nullptr)) os::fatal("no memory for a task of %zu bytes", bytes);
  return task;
}

void enroll_task(Thread* thread, Task* task, TaskFunction function, uint32_t bits) {
  Task* parent = recorded_task(thread);
  if ((parent->bits & kTaskFinal) != 0) bits |= kTaskFinal | kTaskUndeferred;
  // Outside of any parallel region nobody would come by to run it.
  if (thread->team->level == 0) bits |= kTaskUndeferred;
  task->function = function;
  set_looked_at(task->bits, bits | task_policies.bits);
  set_looked_at(task->depth, parent->depth + 1);
  set_looked_at(task->parent, parent);
  task->site = TaskSites::kNone;
  task->icv = parent->icv;
  task->group = parent->group;
  task->team = thread->team;
  task->float_control = arch::sse_control();
  if (TULLE_UNLIKELY(ult::race_detector)) watch_task(task);
  if (TULLE_UNLIKELY((bits & kTaskDetachable) != 0))
    task->holds.store(2, std::memory_order_relaxed);  // published with the task
  ++parent->born;
  if (TULLE_UNLIKELY(task->group != nullptr))
    task->group->unfinished.fetch_add(1, std::memory_order_relaxed);
}

Task* new_task(Thread* thread, TaskFunction function, size_t bytes, size_t alignment,
               uint32_t bits) {
  Task* task = allocate_task(thread, bytes, alignment);
  enroll_task(thread, task, function, bits);
  return task;
}

void give_back_task(Thread* thread, Task* task) {
  TaskQueue* queue = queue_for(thread);
  queue->memory.free_owner(queue, task);
}

void make_task_ready(Thread* thread, Task* task) {
  Team* team = task->team;  // once it is queued, the record may be another task's
  if (TULLE_UNLIKELY((task->bits & kTaskWatched) != 0)) ult::happens_before(task);
  if (thread == nullptr || thread->team != team || (task->bits & kTaskRouted) != 0) {
    route_task(thread, task);
  } else if (TULLE_UNLIKELY(!queue_for(thread)->deque.push_owner(task))) {
    team->tasks.push_shared(task);
  }
  offer(team);
}

void call_task(Thread* thread, TaskFunction function, void* data, uint32_t bits) {
  if (TULLE_LIKELY(can_be_bare(thread->task(), bits))) {
    call_bare(thread, function, data);
    return;
  }
  Task* task = new_task(thread, function, 0, 1, bits | kTaskUndeferred);
  task->data = data;
  run_on_top(thread, task);
}

void submit_task(Thread* thread, Task* task) {
  // How many there are does not show in the queues: an event completes it.
  constexpr uint32_t kBits = kTaskDetachable | kTaskUndeferred | kTaskUntied;
  if (TULLE_UNLIKELY((task->bits & kBits) == kTaskDetachable)) {
    bool limited = cut_off(thread, task_policies.limit);
    thread = self();
    if (limited) {
      count_created(thread, queue_for(thread));
      submit_at_limit(thread, task, true);
      return;
    }
  }
  if (TULLE_UNLIKELY(task->priority > 0))
    set_looked_at(task->bits, task->bits | kTaskRouted);
  else if (prefers_call(thread, task->site, task->bits))
    set_looked_at(task->bits, task->bits | kTaskUndeferred);
  defer_task(thread, task);
}

void defer_task(Thread* thread, Task* task) {
  if ((task->bits & kTaskUndeferred) != 0) {
    if (counted(task->bits)) count_created(thread, queue_for(thread));
    run_on_top(thread, task);
  } else if (TULLE_UNLIKELY(task_policies.of(thread->task()).special ||
                            (task->bits & kTaskRouted) != 0)) {
    submit_by_policy(thread, task);
  } else {
    TaskQueue* queue = queue_for(thread);
    count_created(thread, queue);
    keep(thread, queue, task);
  }
}

void submit_task(Thread* thread, Task* task, const Dependence* list, size_t count) {
  if (count == 0) {
    submit_task(thread, task);
    return;
  }
  // Siblings that are alive in a team of one wait for an event, perhaps for what is made after this.
  bool calls = calls_all(thread) && live_children(thread->task()) == 1;
  if (calls && (task->bits & kTaskDetachable) == 0)
    set_looked_at(task->bits, task->bits | kTaskUndeferred);
  bool limited =
      (task->bits & kTaskUndeferred) == 0 && cut_off(thread, task_policies.limit);
  thread = self();
  if (TULLE_UNLIKELY(task->priority > 0)) set_looked_at(task->bits, task->bits | kTaskRouted);
  if ((task->bits & kTaskUndeferred) != 0) {
    begin_undeferred_wait(thread, task, list, count);
    defer_task(self(), task);
    return;
  }
  TaskQueue* queue = queue_for(thread);
  count_created(thread, queue);
  bool call = by_length(thread) && task_sites.are_short(task->site) && (task->bits & kTaskRouted) == 0;
  if (call) queue->maker.keeping_since = 0;
  bool timed = TULLE_UNLIKELY(queue->maker.keeping_since != 0);
  if (timed) set_looked_at(task->bits, task->bits | kTaskTimed);
  bool ready = register_dependences(thread, task, list, count);
  if (TULLE_UNLIKELY(limited)) {
    submit_at_limit(thread, task, ready);
    return;
  }
  if (ready && TULLE_UNLIKELY(task_policies.of(thread->task()).special))
    begin_by_policy(thread, task);
  else if (ready && call)
    run_on_top(thread, task);
  else if (ready)
    make_task_ready(thread, task);
  if (timed) note_kept(queue, true);
}

void set_affinity(Task* task, const void* address) {
  task->affinity = address;
  set_looked_at(task->bits, task->bits | kTaskAffine | kTaskRouted);
}

void requeue_untied(Thread* thread, Task* task) {
  task->float_control = arch::sse_control();
  make_task_ready(thread, task);
}

void make_movable(Task* task) {
  set_looked_at(task->bits, task->bits | kTaskMovable);
  task->on_ready = offer_untied;
}

void stay_in_thread(Thread* thread) {
  Task* task = thread->task();
  set_looked_at(task->bits, task->bits & ~kTaskMovable);
  task->on_ready = nullptr;
}

void become_tied(Thread* thread) {
  stay_in_thread(thread);
  Task* task = thread->task();
  set_looked_at(task->bits, task->bits & ~kTaskUntied);
  task->loose = false;
  thread->push(task);
}

void enter_body(Thread* thread, Task* task) {
  if (TULLE_UNLIKELY((task->bits & kTaskWatched) != 0)) ult::happens_after(task);
  if (TULLE_UNLIKELY((task->bits & kTaskAffine) != 0)) {
    set_looked_at(task->bits, task->bits & ~kTaskAffine);
    task->table = nullptr;
  }
  thread->frame = task;
  if (TULLE_LIKELY((task->bits & kTaskUntied) == 0))
    thread->push(task);
  else
    task->loose = true;
}

void leave_body(Thread* thread, Task* task) {
  if (TULLE_UNLIKELY((task->bits & kTaskWatched) != 0)) note_task_end(task);
  // Another part of an untied one may run elsewhere by now.
  if (TULLE_LIKELY((task->bits & kTaskUntied) == 0)) thread->pop(task);
}

void run_body(Thread* thread, Task* task) {
  enter_body(thread, task);
  arch::use_sse_control(task->float_control);
  if (TULLE_LIKELY((task->bits & kTaskCancellable) == 0) || !task_cancelled(task))
    task->function(task->data);
  leave_body(self(), task);
}

// The body or the event is through. True if the task is complete.
static bool drop_hold(Task* task) {
  ult::happens_before(task);
  if (task->holds.fetch_sub(1, std::memory_order_acq_rel) != 1) return false;  // pairs with itself
  if (TULLE_UNLIKELY((task->bits & kTaskWatched) != 0)) {
    ult::happens_after(task);
    note_task_end(task);
  }
  return true;
}

bool body_ended(Task* task) {
  if (TULLE_LIKELY((task->bits & kTaskDetachable) == 0)) return true;
  return drop_hold(task);
}

bool end_on_top(Thread* thread, Task* task, Task* outer) {
  thread->frame = outer;
  if (!body_ended(task)) return false;
  Team* team = task->team;
  uint32_t bits = task->bits;
  end_task(thread, task, task->parent == outer);
  if (counted(bits)) count_finished(thread, team);
  return true;
}

namespace {

// Movable if everything below is, too: then any thread may go on with the whole stack.
void inherit_movability(Task* task, const Task* outer) {
  if (TULLE_LIKELY((task->bits & kTaskUntied) == 0)) return;
  // Another part of it may have run where that was different.
  if ((outer->bits & kTaskMovable) != 0) return make_movable(task);
  set_looked_at(task->bits, task->bits & ~kTaskMovable);
  task->on_ready = nullptr;
}

}  // namespace

bool run_on_top(Thread* thread, Task* task) {
  Task* outer = thread->task();
  inherit_movability(task, outer);
  uint64_t begin = TULLE_UNLIKELY((task->bits & kTaskTimed) != 0) ? arch::cycles() : 0;
  {
    arch::KeepFloatControl keep;
    run_body(thread, task);
  }
  if (TULLE_UNLIKELY(begin != 0)) note_length(task, arch::cycles() - begin);
  return end_on_top(self(), task, outer);
}

void begin_inline(Thread* thread, Task* task) {
  if (counted(task->bits)) count_created(thread, queue_for(thread));
  inherit_movability(task, thread->task());
  enter_body(thread, task);
}

void end_undeferred(Thread* thread, Task* task) {
  leave_body(thread, task);
  end_on_top(thread, task, task->parent);
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

void end_task(Thread* thread, Task* task, bool by_parent) {
  if (TULLE_UNLIKELY(task->node != nullptr)) release_dependences(thread, task);
  if (TULLE_UNLIKELY(task->group != nullptr) &&
      task->group->unfinished.fetch_sub(1, std::memory_order_acq_rel) == 1)
    task->group->complete.signal();
  Task* parent = task->parent;
  bool last = childless(task);
  int64_t lingering = last ? 0 : Task::kLingering;
  if (by_parent) {
    --parent->born;
    if (!last) parent->balance.fetch_add(lingering, std::memory_order_relaxed);  // lives
  } else {
    int64_t left =
        parent->balance.fetch_add(lingering - 1, std::memory_order_acq_rel) + lingering - 1;
    if (no_child_alive(left) && !parent->waiter.empty()) parent->waiter.wake_all();
    if (TULLE_UNLIKELY(left == 0)) free_lingering(thread, parent);
  }
  if (last)
    free_task(thread, task);
  else if (int64_t own = Task::kAlive - task->born;
           task->balance.fetch_sub(own, std::memory_order_acq_rel) == own)
    free_lingering(thread, task);
}

void count_finished(Thread* thread, Team* team) {
  if (thread == nullptr || thread->team != team) {
    team->tasks.count_external_finish();
    check_completion(team);
    return;
  }
  add_finished(queue_for(thread), team);
}

void fulfill_event(Task* task) {
  if (!drop_hold(task)) return;
  Team* team = task->team;
  Thread* thread = self();
  end_task(thread, task, false);
  count_finished(thread, team);
  check_completion(team);
}

}  // namespace tulle::omp
