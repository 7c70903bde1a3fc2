// SPDX-License-Identifier: Apache-2.0
// The reduction clause (OpenMP 6.0 §7.6.9) of code that hands the runtime a function which combines two members' copies, as
// Clang's and Intel's compilers do: a large team combines on the way up the tree at which it meets.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// combine(data, another member's) adds the latter's copies to the former's.
using CombineCopies = void (*)(void* data, void* other);

// The same answer for all members. Where a region may be cancelled some would not come.
bool combines_at_tree(const Team* team);

// For all members, where combines_at_tree(). True: the caller's copies stand for all members', and go to the original. False:
// they are part of another one's.
TULLE_MAY_SUSPEND bool combine_at_tree(Thread* thread, void* data, CombineCopies combine);

}  // namespace tulle::omp
