// SPDX-License-Identifier: Apache-2.0
// A barrier of a program's own that only spins, as BLIS's does.
#ifndef TULLE_TESTS_SPIN_BARRIER_H
#define TULLE_TESTS_SPIN_BARRIER_H

#include "relax.h"

struct Barrier {
  int size, arrived, sense;
};

static void meet(struct Barrier *barrier) {
  int sense = __atomic_load_n(&barrier->sense, __ATOMIC_RELAXED);
  if (__atomic_add_fetch(&barrier->arrived, 1, __ATOMIC_ACQ_REL) == barrier->size) {
    __atomic_store_n(&barrier->arrived, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&barrier->sense, !sense, __ATOMIC_RELEASE);
  } else {
    while (__atomic_load_n(&barrier->sense, __ATOMIC_ACQUIRE) == sense) relax();
  }
}

#endif
