// SPDX-License-Identifier: Apache-2.0
// Data that threads of a team share in one construct apart from its iterations: task reductions, and
// memory that the compiled code asks for (conditional lastprivate, inscan). Ended by loop_end.
#pragma once

#include <cstdint>

#include "base/cacheline.h"
#include "omp/thread/thread.h"

namespace tulle::abi::gomp {

// Both may be null. `reductions` is a descriptor as reduction.h says; `*memory` holds a number of
// bytes, and becomes the address of as many zeroed ones, the same for all threads.
TULLE_MAY_SUSPEND void begin_shared(omp::Thread* thread, uintptr_t* reductions, void** memory);

}  // namespace tulle::abi::gomp
