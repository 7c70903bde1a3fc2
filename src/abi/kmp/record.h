// SPDX-License-Identifier: Apache-2.0
//
// Writes tasks down where their region's graph is recorded. For those who omp::somebody_records().
#pragma once

#include "abi/kmp/task_head.h"

namespace tulle::kmp {

// Before the task is submitted.
TULLE_COLD void record_task(omp::Thread* thread, TaskHead* head, const omp::Dependence* list,
                            size_t count);
// Before the creating code calls its body.
TULLE_COLD void record_undeferred(omp::Thread* thread, TaskHead* head);

}  // namespace tulle::kmp
