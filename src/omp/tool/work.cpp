// SPDX-License-Identifier: Apache-2.0
// Tools' view of worksharing constructs, and of what has no place of its own.
#include <utility>

#include "omp/tool/called.h"
#include "omp/tool/events.h"

namespace tulle::omp::tool {

namespace {

void tell_work_of(Thread* thread, Task* encountering, WorkKind kind, Endpoint endpoint, uint64_t count, const void* code) {
  OfRegion& region = of(thread->team);
  OfTask& task = of(encountering);
  tell<Event::work>([&](auto callback, uint32_t tool) {
    callback(kind, endpoint, &region.data[tool], &task.data[tool], count, code);
  });
}

void tell_work(Thread* thread, WorkKind kind, Endpoint endpoint, uint64_t count, const void* code) {
  tell_work_of(thread, thread->task(), kind, endpoint, count, code);
}

void tell_dispatch(Thread* thread, Task* executing, DispatchKind kind, Data instance) {
  known(thread);
  OfRegion& region = of(thread->team);
  OfTask& task = of(executing);
  tell<Event::dispatch>(
      [&](auto callback, uint32_t tool) { callback(&region.data[tool], &task.data[tool], kind, instance); });
}

}  // namespace

void begin_work(Thread* thread, WorkKind kind, uint64_t count, uint64_t chunk) {
  const void* code = known(thread).code;
  end_work(thread);
  OfTask& task = of(thread->task());
  task.work = kind;
  task.work_count = count;
  task.work_chunk = chunk;
  task.work_code = code;
  tell_work(thread, kind, Endpoint::begin, count, code);
}

void end_work(Thread* thread) {
  OfTask& task = of(thread->task());
  if (task.work == WorkKind::none) return;
  const WorkKind kind = task.work;
  task.work = WorkKind::none;
  tell_work(thread, kind, Endpoint::end, task.work_count, task.work_code);
}

void pass_work(Thread* thread, WorkKind kind, uint64_t count) {
  const void* code = known(thread).code;
  end_work(thread);
  tell_work(thread, kind, Endpoint::begin, count, code);
  tell_work(thread, kind, Endpoint::end, count, code);
}

void single(Thread* thread, bool executes) {
  if (executes)
    begin_work(thread, WorkKind::single_executor, 1);
  else
    pass_work(thread, WorkKind::single_other, 1);
}

void masked(Thread* thread, Endpoint endpoint, const void* code) {
  known(thread);
  OfRegion& region = of(thread->team);
  OfTask& task = of(thread->task());
  tell<Event::masked>([&](auto callback, uint32_t tool) {
    callback(endpoint, &region.data[tool], &task.data[tool], code);
  });
}

void dispatch_chunk(Thread* thread, DispatchKind kind, uint64_t start, uint64_t iterations) {
  DispatchedChunk chunk{start, iterations};
  tell_dispatch(thread, thread->task(), kind, {.ptr = &chunk});
}

void dispatch_section(Thread* thread) {
  tell_dispatch(thread, thread->task(), DispatchKind::section, {.ptr = const_cast<void*>(of(thread->task()).work_code)});
}

void tell_doacross(Thread* thread, int kind, const uint64_t* trip, uint32_t dimensions) {
  constexpr uint32_t kMost = 64;
  if (!wants(Event::dependences) || dimensions == 0) return;
  known(thread);
  ToldDependence told[kMost];
  const uint32_t count = dimensions < kMost ? dimensions : kMost;
  for (uint32_t i = 0; i < count; ++i) told[i] = {{.value = trip[i]}, kind};
  OfTask& task = of(thread->task());
  tell<Event::dependences>(
      [&](auto callback, uint32_t tool) { callback(&task.data[tool], told, static_cast<int>(count)); });
}

Taskloop::Taskloop(Thread* thread, uint64_t iterations) : iterations_(iterations) {
  if (!active()) return;
  code_ = known(thread).code;
  task_ = thread->task();
  tell_work_of(thread, task_, WorkKind::taskloop, Endpoint::begin, iterations_, code_);
}

Taskloop::~Taskloop() {
  if (task_ != nullptr && active()) tell_work_of(self(), task_, WorkKind::taskloop, Endpoint::end, iterations_, code_);
}

void create_taskloop_part(Thread* thread, Task* task, DispatchedChunk chunk) {
  create_task(thread, task, false);
  of(task).chunk = chunk;
}

void dispatch_taskloop_part(Thread* thread, Task* task) {
  DispatchedChunk chunk = std::exchange(of(task).chunk, {});
  tell_dispatch(thread, task, DispatchKind::taskloop_chunk, {.ptr = &chunk});
}

void cancel(Thread* thread, int flags, const void* code) {
  known(thread);
  OfTask& task = of(thread->task());
  tell<Event::cancel>([&](auto callback, uint32_t tool) { callback(&task.data[tool], flags, code); });
}

void discard(Task* task, bool by_group) {
  OfTask& record = of(task);
  record.dropped = true;
  const int flags = kCancelDiscardedTask | (by_group ? kCancelTaskgroup : kCancelParallel);
  tell<Event::cancel>([&](auto callback, uint32_t tool) { callback(&record.data[tool], flags, nullptr); });
}

void flush(Thread* thread, const void* code) {
  OfThread& record = known(thread);
  tell<Event::flush>([&](auto callback, uint32_t tool) { callback(&record.data[tool], code); });
}

void error(Thread* thread, Severity severity, const char* message, size_t length, const void* code) {
  known(thread);
  const void* place = in_program(thread, code);
  tell<Event::error>([&](auto callback, uint32_t) { callback(severity, message, length, place); });
}

int control(uint64_t command, uint64_t modifier, void* argument, const void* code) {
  constexpr int kNoCallback = -1;
  int answer = kNoCallback;
  tell<Event::control_tool>(
      [&](auto callback, uint32_t) { answer = callback(command, modifier, argument, code); });
  return answer;
}

}  // namespace tulle::omp::tool
