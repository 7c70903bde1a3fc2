// SPDX-License-Identifier: Apache-2.0
// Whether a thread that would wait outside of the runtime is the only one that could do anything.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// Nothing could come to run while the caller, which `thread` is, blocks: its region is outermost and has no tasks, and
// the other threads have ended, or wait for it at a barrier. In a region.
bool is_alone(const Thread* thread);

}  // namespace tulle::omp
