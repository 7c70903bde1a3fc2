// SPDX-License-Identifier: Apache-2.0
// Waiting as user code does it when it does not ask the runtime: a load in a loop, or a call into
// the system that keeps the thread.
#ifndef TULLE_TESTS_SPIN_H
#define TULLE_TESTS_SPIN_H

#include "relax.h"

static inline void spin_until_set(const int *flag) {
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) relax();
}

static inline void set_flag(int *flag) { __atomic_store_n(flag, 1, __ATOMIC_RELEASE); }

#endif
