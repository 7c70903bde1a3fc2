// SPDX-License-Identifier: Apache-2.0
// Work-sharing constructs in flight. Threads of a team may be several constructs apart (nowait), so
// a team has a ring of slots, found by the number of the construct.
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::omp {

struct WorkShareRing {};

}  // namespace tulle::omp
