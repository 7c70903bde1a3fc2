// SPDX-License-Identifier: Apache-2.0
// Tasks that are made go on their way: they are called, kept, or wait for others.
#include "omp/task/task_submit.h"

#include "base/look.h"
#include "omp/queue/task_policy.h"
#include "omp/task/depend.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_choice.h"
#include "omp/task/task_count.h"
#include "omp/task/task_limit.h"
#include "omp/task/task_ready.h"
#include "omp/task/task_route.h"
#include "omp/task/task_run.h"
#include "omp/task/task_told.h"

namespace tulle::omp {

void call_task(Thread* thread, TaskFunction function, void* data, uint32_t bits) {
  if (TULLE_LIKELY(can_be_bare(thread->task(), bits)) && !tasks_observed()) {
    call_bare(thread, function, data);
    return;
  }
  Task* task = new_task(thread, function, 0, 1, bits | kTaskUndeferred);
  task->data = data;
  tell_of(thread, task, nullptr, 0);
  run_on_top(thread, task);
}

void submit_task(Thread* thread, Task* task) {
  tell_of(thread, task, nullptr, 0);
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
  tell_of(thread, task, nullptr, 0);
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

void submit_task(Thread* thread, Task* task, const Dependence* list, size_t count, const void* code) {
  if (count == 0) {
    submit_task(thread, task);
    return;
  }
  tell_of(thread, task, list, count);
  // Siblings that are alive in a team of one wait for an event, perhaps for what is made after this.
  bool calls = calls_all(thread) && live_children(thread->task()) == 1;
  if (calls && (task->bits & kTaskDetachable) == 0)
    set_looked_at(task->bits, task->bits | kTaskUndeferred);
  bool limited =
      (task->bits & kTaskUndeferred) == 0 && cut_off(thread, task_policies.limit);
  thread = self();
  if (TULLE_UNLIKELY(task->priority > 0)) set_looked_at(task->bits, task->bits | kTaskRouted);
  if ((task->bits & kTaskUndeferred) != 0) {
    begin_undeferred_wait(thread, task, list, count, code);
    defer_task(self(), task);
    return;
  }
  TaskQueue* queue = queue_for(thread);
  count_created(thread, queue);
  bool call = by_length(thread) && task_sites.are_short(task->site) && (task->bits & kTaskRouted) == 0;
  if (call) queue->maker.keeping_since = 0;
  bool timed = TULLE_UNLIKELY(queue->maker.keeping_since != 0);
  if (timed) time_task(thread, queue, task);
  bool ready = register_dependences(thread, task, list, count, code);
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
  if (timed) note_kept(self(), queue, true);
}

void set_affinity(Task* task, const void* address) {
  task->affinity = address;
  set_looked_at(task->bits, task->bits | kTaskAffine | kTaskRouted);
}

}  // namespace tulle::omp
