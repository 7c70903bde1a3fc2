// SPDX-License-Identifier: Apache-2.0
// A task that blocks itself until somebody says that it may go on, known by its record alone (ALPI). The record
// has no room for that: a table has, by the record's address.
#pragma once

#include "omp/task/outside.h"

namespace tulle::omp {

// The current task of `thread`, in a region or outside. Once for each unblock_task().
TULLE_MAY_SUSPEND void block_task(Thread* thread, const Task* task);

// Any OS thread; may come first, once. False: there is no memory to keep that.
bool unblock_task(const Task* task);

}  // namespace tulle::omp
