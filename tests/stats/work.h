// SPDX-License-Identifier: Apache-2.0
// Computing that takes about as long as it is told, whatever the machine.
#pragma once
#include <omp.h>

#include "clock.h"

// Turns of a loop that no compiler leaves out.
static inline double turn(long turns) {
  double x = 1.0;
  for (long i = 0; i < turns; ++i) {
    __asm__ volatile("" : "+r"(i));
    x = x * 0.999999 + 1e-6;
  }
  return x;
}

__attribute__((noinline)) static long turns_per_ms(void) {
  static long known = 0;
  if (known != 0) return known;
  double best = 1e9;
  for (int i = 0; i < 5; ++i) {
    double begin = seconds();
    turn(200000);
    double took = seconds() - begin;
    if (took < best) best = took;
  }
  return known = (long)(200000 * 1e-3 / best);
}

__attribute__((noinline, unused)) static void work_us(double us) { turn((long)(us * 1e-3 * (double)turns_per_ms())); }
