// SPDX-License-Identifier: Apache-2.0
// Iterations of a dynamic loop, and sections, that spin until the others have begun: as many as there are
// threads, so each thread must get one.
#include <omp.h>
#include <stdatomic.h>

#include "expect.h"

enum { ROUNDS = 20, FLAGS = 4 };

static atomic_int begun;
static atomic_int flags[FLAGS];

static void spin_for(int i) {
  while (!atomic_load(&flags[i])) {}
}

static void all_iterations(int n) {
  int last = -1;
  atomic_store(&begun, 0);
#pragma omp parallel for schedule(dynamic, 1) lastprivate(last) num_threads(n)
  for (int i = 0; i < n; i++) {
    atomic_fetch_add(&begun, 1);
    while (atomic_load(&begun) < n) {}
    last = i;
  }
  EXPECT_EQ(last, n - 1);
}

static void pairs_of_sections(void) {
  for (int i = 0; i < FLAGS; i++) atomic_store(&flags[i], 0);
#pragma omp parallel sections num_threads(4)
  {
#pragma omp section
    {
      spin_for(1);
      atomic_store(&flags[0], 1);
    }
#pragma omp section
    atomic_store(&flags[1], 1);
#pragma omp section
    {
      spin_for(3);
      atomic_store(&flags[2], 1);
    }
#pragma omp section
    atomic_store(&flags[3], 1);
  }
}

int main(void) {
  omp_set_dynamic(0);
  for (int round = 0; round < ROUNDS; round++) {
    all_iterations(omp_get_max_threads());
    pairs_of_sections();
  }
  return 0;
}
