// SPDX-License-Identifier: Apache-2.0
// Cancellation of task groups (OpenMP 5.2 §11.2).
#pragma once

#include "omp/task/task.h"

namespace tulle::omp {

// Cancels the innermost taskgroup of the program's: its tasks that have not begun are dropped. True
// if there is one and cancellation is on (OMP_CANCELLATION).
bool cancel_taskgroup(Thread* thread);
// That taskgroup is cancelled.
bool taskgroup_cancelled(Thread* thread);
// It is not dropped, whatever is cancelled. Before it is submitted.
void never_drop(Task* task);
// A task that could be dropped (kTaskCancellable) is: its taskgroup or its region is cancelled.
bool task_cancelled(const Task* task);

}  // namespace tulle::omp
