// SPDX-License-Identifier: Apache-2.0
//
// Atomic updates of locations that no instruction of the machine can change at once: a lock that
// the location's address chooses. The holder runs a few instructions and does not suspend.
#pragma once

#include "sync/spinlock.h"

namespace tulle::omp {

sync::Spinlock& wide_atomic_lock(const void* location);

// In the child after fork(): whoever held one is gone.
void free_wide_atomic_locks();

class WideAtomicGuard {
 public:
  explicit WideAtomicGuard(const void* location) : guard_(wide_atomic_lock(location)) {}

 private:
  sync::Guard guard_;
};

}  // namespace tulle::omp
