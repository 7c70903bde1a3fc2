// SPDX-License-Identifier: Apache-2.0
// Where OS threads are bound: the initial one at its own place also after a region of which it ran other
// threads, and another one at a place that the ended pool's threads, or one that has ended, had.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include "expect.h"

static int first_cpu, is_free = 1;

static int bound_to_first(void) {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof mask, &mask);
  return CPU_COUNT(&mask) == 1 && CPU_ISSET(first_cpu, &mask);
}

// A team of one takes turns with whatever else its worker runs: it gets a place that nobody has.
static void *take_place(void *unused) {
  (void)unused;
#pragma omp parallel num_threads(1)
  EXPECT_EQ(bound_to_first(), is_free || omp_get_num_places() == 1);
  return NULL;
}

static void take_place_elsewhere(void) {
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, NULL, take_place, NULL), 0);
  pthread_join(thread, NULL);
}

int main(void) {
  omp_get_place_proc_ids(0, &first_cpu);
  omp_set_num_threads(omp_get_num_places());
  take_place_elsewhere();
  take_place(NULL);
  for (int region = 0; region < 50; region++) {
#pragma omp parallel
    omp_get_place_num();
    EXPECT(bound_to_first(), "region %d left the initial thread elsewhere", region);
  }
  EXPECT_EQ(omp_pause_resource_all(omp_pause_soft), 0);
  is_free = 0;
  take_place_elsewhere();
  return 0;
}
