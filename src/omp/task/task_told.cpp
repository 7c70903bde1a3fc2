// SPDX-License-Identifier: Apache-2.0
// What tools are told of explicit tasks, at the places where tasks pass anyway.
#include "omp/task/task_told.h"

#include <cstdlib>

#include "omp/task/task_end.h"
#include "omp/thread/cancelled.h"
#include "omp/tool/events.h"
#include "os/report.h"

namespace tulle::omp {

namespace {

constexpr int kInToTools = 1, kInOutToTools = 3, kMutexInOutSetToTools = 4, kInOutSetToTools = 7,
              kAllMemoryToTools = 35;

int kind_to_tools(const Dependence& dependence) {
  switch (dependence.kind) {
    case DependenceKind::in: return kInToTools;
    case DependenceKind::mutexinoutset: return kMutexInOutSetToTools;
    case DependenceKind::inoutset: return kInOutSetToTools;
    default: return dependence.address != nullptr ? kInOutToTools : kAllMemoryToTools;
  }
}

void tell_dependences(Task* task, const Dependence* list, size_t count) {
  if (!tool::wants(tool::Event::dependences)) return;
  auto* told = static_cast<tool::ToldDependence*>(malloc(count * sizeof(tool::ToldDependence)));
  if (told == nullptr) os::fatal("no memory for %zu dependences of a task", count);
  for (size_t i = 0; i < count; ++i) told[i] = {{.ptr = list[i].address}, kind_to_tools(list[i])};
  tool::OfTask& record = tool::of(task);
  tool::tell<tool::Event::dependences>([&](auto callback, uint32_t tool) {
    callback(&record.data[tool], told, static_cast<int>(count));
  });
  free(told);
}

}  // namespace

void tell_tools_of(Thread* thread, Task* task, const Dependence* list, size_t count) {
  const bool known = tool::of(task).created;
  tool::create_task(thread, task, count != 0);
  if (count != 0 && !known) tell_dependences(task, list, count);
}

void note_body_begin(Thread* thread, Task* task) {
  if ((task->bits & kTaskWatched) != 0) ult::happens_after(task);
  if ((task->bits & kTaskObserved) != 0) tool::begin_body(thread, task);
}

void note_body_end(Thread* thread, Task* task) {
  if ((task->bits & kTaskObserved) != 0) tool::end_body(thread, task);
  if ((task->bits & kTaskWatched) != 0) note_task_end(task);
}

void note_above(Task* task, const Task* outer) { tool::of(task).above = outer; }

void note_dropped(Task* task) {
  if ((task->bits & kTaskObserved) != 0) tool::discard(task, !parallel_cancelled(task->team));
}

}  // namespace tulle::omp
