// SPDX-License-Identifier: Apache-2.0
// Critical sections (OpenMP 5.2 §15.2) and what stands in for an atomic operation that the machine
// lacks. A named section's lock is the zeroed memory that the compiler set aside for the name.
#pragma once

#include "base/cacheline.h"
#include "omp/sync/lock.h"

namespace tulle::omp {

// Of the critical sections without a name that name no memory either, and of all such atomics.
extern TULLE_NEAR constinit Lock unnamed_critical;
extern TULLE_NEAR constinit Lock atomic_fallback;

inline Lock& critical_lock(void* name) { return *static_cast<Lock*>(name); }

}  // namespace tulle::omp
