// SPDX-License-Identifier: Apache-2.0
//
// Tasks of target constructs with nowait. One that a region on a device completes gets an event for it, so that its
// maker goes on also where tasks run at once.
#pragma once

#include "abi/kmp/task_head.h"
#include "omp/thread/thread.h"

namespace tulle::kmp {

// The current task, if it may end before its region does.
TaskHead* launching_task(omp::Thread* thread);

// The task's body once more, where the device is lost.
TULLE_MAY_SUSPEND void call_again(void* head);

}  // namespace tulle::kmp
