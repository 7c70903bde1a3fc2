// SPDX-License-Identifier: Apache-2.0
//
// Task reductions that a taskgroup of this interface holds.
#pragma once

#include "omp/thread/thread.h"

namespace tulle::kmp {

// Combines the copies into the list items, and gives them back. All tasks of the group are complete.
void finish_reductions(omp::TaskGroup* group);

}  // namespace tulle::kmp
