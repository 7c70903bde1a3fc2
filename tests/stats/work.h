// SPDX-License-Identifier: Apache-2.0
// Computing that takes about as long as it is told, whatever the machine.
#pragma once
#include <omp.h>
#include <time.h>

static inline double now_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

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
    double begin = now_s();
    turn(200000);
    double took = now_s() - begin;
    if (took < best) best = took;
  }
  return known = (long)(200000 * 1e-3 / best);
}

__attribute__((noinline, unused)) static void work_us(double us) { turn((long)(us * 1e-3 * (double)turns_per_ms())); }
