// SPDX-License-Identifier: Apache-2.0
// Waiting for dependences.
#pragma once

#include <cstddef>

#include "omp/task/task.h"

namespace tulle::omp {

// Begin of an undeferred task whose body the caller runs itself (compilers' if(0) code), up to end_undeferred().
TULLE_MAY_SUSPEND void begin_undeferred(Thread* thread, Task* task, const Dependence* list, size_t count);

// Waits for those children of the current task that the list depends on.
TULLE_MAY_SUSPEND void taskwait(Thread* thread, const Dependence* list, size_t count);

}  // namespace tulle::omp
