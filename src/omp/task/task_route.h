// SPDX-License-Identifier: Apache-2.0
// Tasks that a policy has a say in.
#pragma once

#include "omp/task/task.h"

namespace tulle::omp {

// A task that some policy has a say in; prefers_call() said no.
TULLE_MAY_SUSPEND void submit_by_policy(Thread* thread, Task* task);
// One that is counted and may begin.
TULLE_MAY_SUSPEND void begin_by_policy(Thread* thread, Task* task);

}  // namespace tulle::omp
