// SPDX-License-Identifier: Apache-2.0
// What programs of this folder share: each runs with devices (TULLE_DEVICES), the default one first.
#ifndef TULLE_TESTS_ON_DEVICE_H
#define TULLE_TESTS_ON_DEVICE_H

#include <omp.h>
#include <stdint.h>
#include "expect.h"

// Data of the region are not the host's own.
#define EXPECT_MOVED(here, there) EXPECT((uintptr_t)(here) != (there), "%s is the host's own", #here)

static inline void expect_devices(void) {
  EXPECT(omp_get_num_devices() > 0, "this needs TULLE_DEVICES");
  EXPECT_EQ(omp_is_initial_device(), 1);
}

#endif
