// SPDX-License-Identifier: Apache-2.0
// Cross-iteration dependences (OpenMP 5.2 §15.9.6, doacross), in two forms.
//
// Counters: GCC tells the schedule together with the loop, so one counter for each thread (static) or
// for each of a window of chunks (others) says how far it came. Trips are numbered from 0.
// Flags: Clang tells the bounds before the loop and keeps the schedule to itself, so there is one bit
// for each iteration of the nest.
#pragma once

#include <cstdint>

#include "omp/thread/thread.h"
#include "omp/worksharing/loop.h"

namespace tulle::omp {

// Begins a loop over trips 0 to counts[0] - 1; the dimensions inside it have counts[1...] trips.
// loop_next and loop_end as for other loops. `counts` is copied.
TULLE_MAY_SUSPEND void doacross_loop_begin(Thread* thread, const uint64_t* counts, uint32_t n,
                                           const Schedule& schedule);
// source and sink: one trip number for each dimension.
void doacross_loop_post(Thread* thread, const uint64_t* trip);
TULLE_MAY_SUSPEND void doacross_loop_wait(Thread* thread, const uint64_t* trip);
// How many numbers a sink of the loop in force has; 0 where none of them matters.
uint32_t doacross_loop_dimensions(Thread* thread);

struct DoacrossDimension {
  int64_t lower;  // first value
  int64_t upper;  // last value, inclusive
  int64_t step;
};

TULLE_MAY_SUSPEND void doacross_begin(Thread* thread, const DoacrossDimension* dims, uint32_t n);
// Values of the loop variables. A sink outside of the nest is no dependence.
void doacross_post(Thread* thread, const int64_t* values);
TULLE_MAY_SUSPEND void doacross_wait(Thread* thread, const int64_t* values);
void doacross_end(Thread* thread);

}  // namespace tulle::omp
