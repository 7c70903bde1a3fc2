// SPDX-License-Identifier: Apache-2.0
// Calling tasks: a body becomes the current task of a thread, on top of another one's frames or of a loop's.
#include "omp/task/task_run.h"

#include "arch/cpu.h"
#include "arch/float_control.h"
#include "base/look.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_cancel.h"
#include "omp/task/task_choice.h"
#include "omp/task/task_count.h"
#include "omp/task/task_end.h"
#include "omp/task/task_ready.h"
#include "omp/task/task_told.h"
#include "omp/thread/team.h"

namespace tulle::omp {

namespace {

// A suspended untied task is ready: any thread of the team may go on with it.
void offer_untied(sched::Ult* ult) {
  auto* task = static_cast<Task*>(ult->frame);
  set_looked_at(task->ult, ult);
  Team* team = task->team;
  team->tasks.push_shared(task, nullptr);
  offer(team);
}

// Movable if everything below is, too: then any thread may go on with the whole stack.
void inherit_movability(Task* task, const Task* outer) {
  if (TULLE_LIKELY((task->bits & kTaskUntied) == 0)) return;
  // Another part of it may have run where that was different.
  if ((outer->bits & kTaskMovable) != 0) return make_movable(task);
  set_looked_at(task->bits, task->bits & ~kTaskMovable);
  task->on_ready = nullptr;
}

}  // namespace

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
  if (TULLE_UNLIKELY((task->bits & kTaskNoted) != 0)) note_body_begin(thread, task);
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
  if (TULLE_UNLIKELY((task->bits & kTaskNoted) != 0)) note_body_end(thread, task);
  // Another part of an untied one may run elsewhere by now.
  if (TULLE_LIKELY((task->bits & kTaskUntied) == 0)) thread->pop(task);
}

void run_body(Thread* thread, Task* task) {
  enter_body(thread, task);
  arch::use_short_float_control(task->float_control);
  if (TULLE_LIKELY((task->bits & kTaskCancellable) == 0) || !task_cancelled(task))
    task->function(task->data);
  else
    note_dropped(task);
  leave_body(self(), task);
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

bool run_on_top(Thread* thread, Task* task) {
  Task* outer = thread->task();
  inherit_movability(task, outer);
  if (TULLE_UNLIKELY((task->bits & kTaskObserved) != 0)) note_above(task, outer);
  uint64_t begin = TULLE_UNLIKELY((task->bits & kTaskTimed) != 0) ? arch::cycles() : 0;
  {
    arch::KeepShortFloatControl keep;
    run_body(thread, task);
  }
  if (TULLE_UNLIKELY(begin != 0)) note_length(task, arch::cycles() - begin);
  return end_on_top(self(), task, outer);
}

void requeue_untied(Thread* thread, Task* task) {
  task->float_control = arch::short_float_control();
  make_task_ready(thread, task);
}

void begin_inline(Thread* thread, Task* task) {
  if (counted(task->bits)) count_created(thread, queue_for(thread));
  inherit_movability(task, thread->task());
  if (TULLE_UNLIKELY((task->bits & kTaskObserved) != 0)) note_above(task, thread->task());
  enter_body(thread, task);
}

void end_undeferred(Thread* thread, Task* task) {
  leave_body(thread, task);
  end_on_top(thread, task, task->parent);
}

void end_recorded(Thread* thread) {
  Task* task = thread->task();
  if ((task->bits & kTaskDetachable) == 0) task->group = nullptr;  // it was never counted in one
  leave_body(thread, task);
  end_on_top(thread, task, task->parent);
}

}  // namespace tulle::omp
