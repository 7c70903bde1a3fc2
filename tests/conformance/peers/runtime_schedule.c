// SPDX-License-Identifier: Apache-2.0
// schedule(runtime) and omp_get_schedule where the runtimes of the compilers differ: programs of GCC get
// libgomp 12's way, those of Clang libomp's.
#include <omp.h>
#include <string.h>
#include "expect.h"

enum { kTrips = 400, kTrapezoidal = 101 };
static void expect_schedule(unsigned kind, int chunk, const char *what) {
  omp_sched_t told;
  int told_chunk;
  omp_get_schedule(&told, &told_chunk);
  EXPECT((unsigned)told == kind && told_chunk == chunk, "%s: kind %x chunk %d", what, (unsigned)told,
         told_chunk);
}

static int owner[kTrips];

static void deal(int threads) {
  for (int i = 0; i < kTrips; i++) owner[i] = -1;
#pragma omp parallel for schedule(runtime) num_threads(threads)
  for (int i = 0; i < kTrips; i++) owner[i] = omp_get_thread_num();
  for (int i = 0; i < kTrips; i++) EXPECT(owner[i] >= 0 && owner[i] < threads, "iteration %d", i);
}

// One block for each thread, in the order of their numbers.
static void expect_even(int threads) {
  deal(threads);
  for (int i = 0; i < kTrips; i++) EXPECT_EQ(owner[i], i / (kTrips / threads));
}

static void expect_chunks(int threads, int chunk) {
  deal(threads);
  for (int i = 0; i < kTrips; i++) EXPECT_EQ(owner[i], i / chunk % threads);
}

// What the environment says, or nothing.
static void check_environment(const char *said) {
#ifdef __clang__
  if (said == NULL) {
    expect_schedule(omp_sched_static, 0, "default");
    expect_even(4);
  } else if (strncmp(said, "auto", 4) == 0) {
    expect_schedule(omp_sched_auto, 1, said);
  } else if (strcmp(said, "trapezoidal,3") == 0) {
    expect_schedule(kTrapezoidal, 3, said);
    deal(4);
  } else if (strcmp(said, "static_steal,4") == 0) {
    expect_schedule(omp_sched_dynamic, 4, said);
    deal(4);
  }
#else
  if (said == NULL) {
    expect_schedule(omp_sched_dynamic, 1, "default");
  } else if (strcmp(said, "auto,7") == 0) {
    expect_schedule(omp_sched_auto, 7, said);
    expect_chunks(4, 7);
  } else if (strcmp(said, "static") == 0) {
    expect_even(4);
  }
#endif
}

static void check_routines(void) {
  omp_set_schedule(omp_sched_static, 3);
#ifdef __clang__
  expect_schedule(omp_sched_static, 3, "static");
  expect_chunks(4, 3);
  omp_set_schedule(omp_sched_dynamic, 5);
  expect_schedule(omp_sched_dynamic, 5, "dynamic");
#else
  expect_schedule(omp_sched_static, 3, "static");
  expect_chunks(4, 3);
#endif
}

int main(void) {
  omp_set_dynamic(0);
  check_environment(getenv("OMP_SCHEDULE"));
  check_routines();
  deal(1);
  deal(omp_get_max_threads());
#ifdef __clang__
  // As a pointer to the routine is called, too.
  void (*set)(omp_sched_t, int) = omp_set_schedule;
  set(omp_sched_guided, 9);
  expect_schedule(omp_sched_guided, 9, "guided");
#else
  (void)expect_even;
#endif
  return 0;
}
