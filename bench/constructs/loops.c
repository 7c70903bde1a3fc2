// SPDX-License-Identifier: Apache-2.0
// Work-sharing loops: a fixed trip count, an empty body, each schedule with the default chunk and
// with one of 16. The time is that of a whole loop with its implicit barrier.
#include <omp.h>

#include "tables.h"

enum { TRIP = 1024, ORDERED_TRIP = 64 };

// Every iteration runs exactly once: the sum of the iteration numbers, times the repetitions.
static bool complete(int64_t sum, long inner) {
  return sum == inner * ((int64_t)TRIP * (TRIP - 1) / 2);
}

#define DIRECTIVE(text) _Pragma(#text)
#define LOOP_CASE(function, schedule_clause)                    \
  static double function(long inner) {                          \
    int64_t sum = 0;                                            \
    double t = now();                                           \
    DIRECTIVE(omp parallel reduction(+ : sum))                  \
    for (long r = 0; r < inner; r++) {                          \
      DIRECTIVE(omp for schedule_clause)                        \
      for (int i = 0; i < TRIP; i++) {                          \
        int number = i;                                         \
        KEEP(number);                                           \
        sum += number;                                          \
      }                                                         \
    }                                                           \
    t = now() - t;                                              \
    return checked(t, complete(sum, inner));                    \
  }

LOOP_CASE(for_static, schedule(static))
LOOP_CASE(for_static_1, schedule(static, 1))
LOOP_CASE(for_dynamic, schedule(dynamic))
LOOP_CASE(for_dynamic_16, schedule(dynamic, 16))
LOOP_CASE(for_guided, schedule(guided))
LOOP_CASE(for_guided_16, schedule(guided, 16))
LOOP_CASE(for_scheduled_later, schedule(runtime))

// The schedule is set, as the runtimes' defaults differ.
static double for_runtime(long inner) {
  omp_set_schedule(omp_sched_dynamic, 16);
  return for_scheduled_later(inner);
}

// Each trip has its turn after another thread's: who divides the loop into blocks all the same hands on nothing.
static double for_ordered(long inner) {
  int64_t out_of_order = 0, n = 0;
  double t = now();
#pragma omp parallel
  {
    const int self = omp_get_thread_num(), members = omp_get_num_threads();
    for (long r = 0; r < inner; r++) {
#pragma omp for ordered schedule(static, 1)
      for (int i = 0; i < ORDERED_TRIP; i++) {
#pragma omp ordered
        {
          out_of_order += n % ORDERED_TRIP != i || i % members != self;
          n++;
        }
      }
    }
  }
  t = now() - t;
  return checked(t, out_of_order == 0 && n == inner * ORDERED_TRIP);
}

const Case loop_cases[] = {
    {.name = "for_static", .run = for_static, .ops = 1},
    {.name = "for_static_1", .run = for_static_1, .ops = 1},
    {.name = "for_dynamic", .run = for_dynamic, .ops = 1},
    {.name = "for_dynamic_16", .run = for_dynamic_16, .ops = 1},
    {.name = "for_guided", .run = for_guided, .ops = 1},
    {.name = "for_guided_16", .run = for_guided_16, .ops = 1},
    {.name = "for_runtime", .run = for_runtime, .ops = 1},
    {.name = "ordered", .run = for_ordered, .ops = ORDERED_TRIP},
    {0},
};
