// SPDX-License-Identifier: Apache-2.0
#include "omp/task/task_icv.h"

#include <cstdlib>

#include "base/look.h"
#include "omp/task/task_bare.h"
#include "os/report.h"

namespace tulle::omp {

namespace {

Icv* own_icv_of_task(Task* task) {
  if ((task->bits & kTaskOwnsIcv) != 0) return const_cast<Icv*>(task->icv);
  auto* icv = static_cast<Icv*>(malloc(sizeof(Icv)));
  if (icv == nullptr) os::fatal("no memory for the control variables of a task");
  *icv = *task->icv;
  task->icv = icv;
  set_looked_at(task->bits, task->bits | kTaskOwnsIcv);
  return icv;
}

}  // namespace

Icv* writable_icv(Thread* thread) {
  Task* task = recorded_task(thread);
  if (task->icv == &thread->own_icv && task == &thread->implicit) return &thread->own_icv;
  if (task == &thread->implicit) {
    thread->own_icv = *task->icv;
    task->icv = &thread->own_icv;
    return &thread->own_icv;
  }
  return own_icv_of_task(task);
}

}  // namespace tulle::omp
