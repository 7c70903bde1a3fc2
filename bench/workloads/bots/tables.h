// SPDX-License-Identifier: Apache-2.0
// The tables of cases, each ended by an entry without name, that the kernels define.
#ifndef TULLE_BENCH_BOTS_TABLES_H
#define TULLE_BENCH_BOTS_TABLES_H

#include "measure.h"

extern const Case alignment_cases[], fft_cases[], fibonacci_cases[], floorplan_cases[];
extern const Case health_cases[], knapsack_cases[], nqueens_cases[];
extern const Case sort_cases[], sparselu_cases[], strassen_cases[];

// Numbers that are the same on every machine and in every run.
static inline uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

#endif
