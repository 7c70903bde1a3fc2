// SPDX-License-Identifier: Apache-2.0
#include "arch/cpu.h"

namespace tulle::arch {

uint32_t counter_scale = 1;

void detect_features() {
  constexpr uint64_t kCyclesPerSecond = 2500000000u;
  uint64_t ticks_per_second;
  asm volatile("mrs %0, cntfrq_el0" : "=r"(ticks_per_second));
  if (ticks_per_second == 0 || ticks_per_second > kCyclesPerSecond) return;
  counter_scale = static_cast<uint32_t>(kCyclesPerSecond / ticks_per_second);
}

}  // namespace tulle::arch
