// SPDX-License-Identifier: Apache-2.0
// What a loop that polls does between two looks.
#pragma once

static inline void relax(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield" ::: "memory");
#endif
}
