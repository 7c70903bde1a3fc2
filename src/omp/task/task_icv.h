// SPDX-License-Identifier: Apache-2.0
// The control variables of a task's data environment when a routine sets one of them.
#pragma once

#include "omp/thread/thread.h"

namespace tulle::omp {

// The ICVs of the thread's current task, to be changed: a copy of its own from the first call on.
Icv* writable_icv(Thread* thread);

}  // namespace tulle::omp
