// SPDX-License-Identifier: Apache-2.0
// The limit of unfinished tasks.
#pragma once

#include <cstdint>

#include "omp/task/task.h"

namespace tulle::omp {

// So many tasks are unfinished that a new one is to be called.
TULLE_MAY_SUSPEND bool cut_off(Thread* thread, uint32_t limit);
// Then: one that is counted. Called if it may begin; its maker waits for room unless it is complete then.
TULLE_MAY_SUSPEND void submit_at_limit(Thread* thread, Task* task, bool ready);

}  // namespace tulle::omp
