// SPDX-License-Identifier: Apache-2.0
// Times for C and C++ programs of tests.
#ifndef TULLE_TESTS_CLOCK_H
#define TULLE_TESTS_CLOCK_H

#include <time.h>

static inline double seconds_of(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static inline double seconds(void) { return seconds_of(CLOCK_MONOTONIC); }

// A limit that nobody reaches, by that clock.
static inline struct timespec in_an_hour(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  time.tv_sec += 3600;
  return time;
}

static inline void compute_for(double length) {
  for (double end = seconds() + length; seconds() < end;) {
  }
}

#endif
