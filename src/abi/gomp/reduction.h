// SPDX-License-Identifier: Apache-2.0
// Task reductions as GCC describes them: an array of words that the construct's frame holds.
//   [0] number of items        [1] bytes of one thread's copies
//   [2] in: their alignment; out: address of the copies of thread 0, which the program reads
//   [3] allocator, -1 malloc   [4] next array of the same construct, or 0
//   [5], [6] and each item's third word are the runtime's; [7]... items {address, offset, -}
// The compiled code initialises each thread's copies at first use and combines them itself.
#pragma once

#include <cstdint>

#include "omp/thread/team.h"

namespace tulle::abi::gomp {

// For reduction(task, ...) of the region that the team is about to run.
void register_for_team(omp::Team* team, uintptr_t* descriptor);

// For the current taskgroup of the thread's task.
void register_for_group(omp::Thread* thread, uintptr_t* descriptor);

// A thread that comes later to a work-share takes the copies that the first one made.
void register_shared(omp::Thread* thread, uintptr_t* descriptor, const uintptr_t* first);

}  // namespace tulle::abi::gomp
