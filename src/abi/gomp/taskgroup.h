// SPDX-License-Identifier: Apache-2.0
// Taskgroups whose begin and end are two calls, so that no frame of the runtime can hold the group.
#pragma once

#include "omp/thread/thread.h"

namespace tulle::abi::gomp {

// Hidden: of a construct with task reductions, where the program sees no group.
void begin_taskgroup(omp::Thread* thread, bool hidden);
TULLE_MAY_SUSPEND void end_taskgroup(omp::Thread* thread);

}  // namespace tulle::abi::gomp
