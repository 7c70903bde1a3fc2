// SPDX-License-Identifier: Apache-2.0
// Regions of several fibers at once on one OS thread, and on several between which fibers move inside of regions
// and between them: each is a thread of its own, with its own team, barriers and control variables.
#include <omp.h>

#include "fibers.h"

enum { FIBERS = 12, ROUNDS = 20 };

static int default_threads, members_seen[FIBERS];

static void expect_place(int number, int threads, int level) {
  EXPECT_EQ(omp_get_thread_num(), number);
  EXPECT_EQ(omp_get_num_threads(), threads);
  EXPECT_EQ(omp_get_level(), level);
}

// In member 0 of a guest's region, which the guest itself runs.
static void switch_inside(int number, int threads) {
  for (int i = 0; number == 0 && i < 3; ++i) {
    fiber_yield_if_here();
    expect_place(0, threads, 1);
  }
}

static void one_region(int id, int threads) {
  int sum = 0, arrived = 0, once = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
  {
    int number = omp_get_thread_num();
    expect_place(number, threads, 1);
    switch_inside(number, threads);
#pragma omp atomic
    ++arrived;
#pragma omp barrier
    int seen;
#pragma omp atomic read
    seen = arrived;
    EXPECT_EQ(seen, threads);
    switch_inside(number, threads);
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < 100; ++i) sum += i;
#pragma omp single
    ++once;
#pragma omp critical
    ++members_seen[id];
  }
  EXPECT_EQ(sum, 4950);
  EXPECT_EQ(once, 1);
  expect_place(0, 1, 0);
}

static void use_regions(void *argument) {
  int id = (int)(long)argument, own = 1 + id % 5;
  one_region(id, default_threads);
  EXPECT_EQ(omp_get_max_threads(), default_threads);
  omp_set_num_threads(own);
  for (int round = 0; round < ROUNDS; ++round) {
    fiber_yield();
    EXPECT_EQ(omp_get_max_threads(), own);
    one_region(id, own);
  }
}

static void run(int carriers) {
  for (int id = 0; id < FIBERS; ++id) {
    members_seen[id] = 0;
    spawn_fiber(use_regions, (void *)(long)id);
  }
  run_fibers(carriers);
  for (int id = 0; id < FIBERS; ++id) EXPECT_EQ(members_seen[id], default_threads + ROUNDS * (1 + id % 5));
}

int main(void) {
  default_threads = omp_get_max_threads();
  register_fibers();
  run(1);
  run(3);
  // The OS thread itself is as before.
  one_region(0, default_threads == 1 ? 1 : 2);
  return 0;
}
