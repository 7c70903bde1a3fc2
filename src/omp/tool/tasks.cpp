// SPDX-License-Identifier: Apache-2.0
// Tools' view of explicit tasks: each thread has a task that they take for its current one (Thread::told_task), and
// they are told of each change. A tied task stays that while it is suspended; one that any thread may go on with
// ceases to be it before it is, for it may be complete when the thread looks again.
#include "arch/cpu.h"
#include "base/probe.h"
#include "omp/queue/task_policy.h"
#include "omp/tool/events.h"
#include "sched/suspension_watcher.h"

namespace tulle::omp::tool {

namespace {

int flags_of(const Task* task) {
  uint32_t flags = kExplicitTask;
  if ((task->bits & kTaskUndeferred) != 0) flags |= kUndeferredTask;
  if ((task->bits & kTaskUntied) != 0) flags |= kUntiedTask;
  if ((task->bits & kTaskFinal) != 0) flags |= kFinalTask;
  return static_cast<int>(flags);
}

void tell_switch(Thread* thread, TaskStatus status, Task* next) {
  OfTask& prior_record = of(thread->told_task);
  OfTask& next_record = of(next);
  thread->told_task = next;
  tell<Event::task_schedule>(
      [&](auto callback, uint32_t tool) { callback(&prior_record.data[tool], status, &next_record.data[tool]); });
}

Task* innermost_of(const Thread* thread) {
  return static_cast<Task*>(thread->innermost.load(std::memory_order_relaxed));  // W: who holds it, the caller
}

// Where a thread goes on when `task`, the current one, has ended.
Task* next_after(const Thread* thread, const Task* task) {
  const Task* above = of(const_cast<Task*>(task)).above;
  if (above != nullptr) return const_cast<Task*>(above);
  const sched::Frame* frame = thread->innermost.load(std::memory_order_relaxed);
  if (frame == task) frame = frame->below;
  return static_cast<Task*>(const_cast<sched::Frame*>(frame));
}

// Any thread may go on with the frames of a task that is suspended.
void leave(sched::Entity* entity, sched::Frame* frame) {
  auto* thread = static_cast<Thread*>(entity);
  tell<Event::suspended>([](auto callback, uint32_t) { callback(); });
  if (frame->on_ready == nullptr || thread->told_task != frame) return;
  tell_switch(thread, TaskStatus::switched, innermost_of(thread));
}

// By any OS thread, which may run nothing of OpenMP's.
void note_moment(sched::Ult* ult) {
  if (wants(Event::resumed)) ult->ready_at = arch::cycles();
}

void go_on(sched::Entity* entity, const sched::Ult& ult) {
  auto* thread = static_cast<Thread*>(entity);
  if (thread->told_task != nullptr && thread->told_task != thread->task())
    tell_switch(thread, TaskStatus::switched, thread->task());
  tell<Event::resumed>([&](auto callback, uint32_t) { callback(ult.ready_at); });
}

}  // namespace

void create_task(Thread* thread, Task* task, bool follows) {
  OfTask& record = of(task);
  if (record.created) return;
  record.begin_anew();
  record.created = true;
  record.follows = follows;
  OfThread& maker = known(thread);
  OfTask& parent = of(task->parent);
  const void* code = maker.code;
  Inside inside(thread);
  TULLE_PROBE_3(task_create, task, task->parent, code);
  tell<Event::task_create>([&](auto callback, uint32_t tool) {
    callback(&parent.data[tool], &parent.frame, &record.data[tool], flags_of(task), follows, code);
  });
}

void begin_body(Thread* thread, Task* task) {
  known(thread);
  create_task(thread, task, false);
  OfTask& record = of(task);
  record.stack = thread->worker->stack;
  record.frame.exit.ptr = __builtin_frame_address(0);
  record.frame.exit_flags = kRuntimeFrame | kStackAddress;
  if (thread->told_task == nullptr) thread->told_task = innermost_of(thread);
  TULLE_PROBE_2(task_begin, task, thread->num);
  tell_switch(thread, TaskStatus::switched, task);
  if (record.chunk.iterations == 0 || record.dropped) return;
  thread->frame = task;  // tools ask for the current task
  dispatch_taskloop_part(thread, task);
}

void task_ready(Task* task) {
  OfTask& record = of(task);
  if (!record.created || !record.follows) return;
  record.follows = false;
  tell<Event::task_ready>([&](auto callback, uint32_t tool) { callback(&record.data[tool]); });
}

void end_body(Thread* thread, Task* task) {
  OfTask& record = of(task);
  record.frame.exit.ptr = nullptr;
  TaskStatus status = record.dropped ? TaskStatus::cancel : TaskStatus::complete;
  if ((task->bits & kTaskDetachable) != 0 && task->holds.load(std::memory_order_relaxed) > 1)
    status = (task->bits & kTaskUntied) != 0 ? TaskStatus::yield : TaskStatus::detach;
  Task* next = next_after(thread, task);
  record.above = nullptr;
  if (status != TaskStatus::detach && status != TaskStatus::yield) record.created = false;
  TULLE_PROBE_3(task_end, task, thread->num, status);
  tell_switch(thread, status, next);
}

void fulfill(Task* task) {
  OfTask& record = of(task);
  const bool late = task->holds.load(std::memory_order_relaxed) <= 1;  // a hint where the body ends meanwhile
  if (late) record.created = false;
  tell<Event::task_schedule>([&](auto callback, uint32_t tool) {
    callback(&record.data[tool], late ? TaskStatus::late_fulfill : TaskStatus::early_fulfill, nullptr);
  });
}

void watch_switches(bool told) {
  static constexpr sched::SuspensionWatcher watcher{leave, note_moment, go_on};
  sched::watch_suspensions(told ? &watcher : nullptr);
}

}  // namespace tulle::omp::tool
