// SPDX-License-Identifier: Apache-2.0
//
// Taskgroups that entry points open on behalf of compiled code. By the encountering task only.
#pragma once

#include "omp/thread/thread.h"

namespace tulle::kmp {

omp::TaskGroup* begin_group(omp::Thread* thread);

// Waits for the group's tasks, then combines the reductions that it holds.
TULLE_MAY_SUSPEND void end_group(omp::Thread* thread);

}  // namespace tulle::kmp
