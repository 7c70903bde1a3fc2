// SPDX-License-Identifier: Apache-2.0
// What programs of this folder share: each runs with devices (TULLE_DEVICES), the default one first.
#ifndef TULLE_TESTS_ON_DEVICE_H
#define TULLE_TESTS_ON_DEVICE_H

#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include "expect.h"

// Data of the region are not the host's own.
#define EXPECT_MOVED(here, there) EXPECT((uintptr_t)(here) != (there), "%s is the host's own", #here)

static inline void expect_devices(void) {
  EXPECT(omp_get_num_devices() > 0, "this needs TULLE_DEVICES");
  EXPECT_EQ(omp_is_initial_device(), 1);
}

// What the word says in memory of the default device, also while a region runs there.
static inline int word_there(const volatile int *word) {
  int value = 0, device = omp_get_default_device();
  if (omp_target_memcpy(&value, (const void *)word, sizeof value, 0, 0, omp_get_initial_device(), device) != 0) exit(1);
  return value;
}

static inline void await_word_there(const volatile int *word, int value) {
  while (word_there(word) != value) sched_yield();
}

// Either way between host and default device.
static inline void to_device(void *there, const void *here, size_t bytes) {
  if (omp_target_memcpy(there, here, bytes, 0, 0, omp_get_default_device(), omp_get_initial_device()) != 0) exit(1);
}
static inline void from_device(void *here, const void *there, size_t bytes) {
  if (omp_target_memcpy(here, there, bytes, 0, 0, omp_get_initial_device(), omp_get_default_device()) != 0) exit(1);
}

#endif
