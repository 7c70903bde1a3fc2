// SPDX-License-Identifier: Apache-2.0
// The asymmetric fence: a hot path orders a store before a load with arch::light_fence() alone,
// because the cold path that it races with issues heavy_fence(), which makes every running OS
// thread of the process pass a full fence (Linux membarrier, private expedited).
// Where the kernel refuses membarrier, asymmetric_fences() is false and the hot path uses a full
// fence; hot_fence() decides.
#pragma once

#include "arch/cpu.h"
#include "base/cacheline.h"

namespace tulle::os {

extern TULLE_NEAR bool asymmetric_fences;  // W: init_fences(), while no fence is passed

// Before any other call. Who has several OS threads waits for some 10 ms, where the library was not loaded while there was one.
void init_fences();
void init_fences_after_fork();  // in the child

void heavy_fence();

inline void hot_fence() {
  if (__builtin_expect(asymmetric_fences, 1))
    arch::light_fence();
  else
    arch::full_fence();
}

}  // namespace tulle::os
