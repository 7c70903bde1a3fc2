// SPDX-License-Identifier: Apache-2.0
// OpenMP regions in work units of GLT, interleaved on one OS thread and moving between two.
#include <omp.h>
#include <stdlib.h>
#include <tulle/glt.h>

#include "expect.h"

enum { UNITS = 24, MEMBERS = 3, ROUNDS = 20 };

static void regions(void *number) {
  long i = (long)number;
  omp_set_num_threads(MEMBERS);
  for (int round = 0; round < ROUNDS; round++) {
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
      EXPECT_EQ(omp_get_level(), 1);
      EXPECT_EQ(omp_get_num_threads(), MEMBERS);
      if (omp_get_thread_num() == 0) glt_yield();
#pragma omp barrier
      sum += omp_get_thread_num();
      if (omp_get_thread_num() == 0 && round % 4 == 0)
        glt_ult_migrate_self_to((int)(i + round) % glt_get_num_threads());
#pragma omp barrier
      sum += 10;
    }
    EXPECT_EQ(sum, 3 + 10 * MEMBERS);
    EXPECT_EQ(omp_get_level(), 0);
    glt_yield();
  }
}

int main(int argc, char **argv) {
  GLT_ult ults[UNITS];
  omp_set_dynamic(0);
  glt_init(argc, argv);
  for (long i = 0; i < UNITS; i++) glt_ult_create_to(regions, (void *)i, &ults[i], (int)i % glt_get_num_threads());
  for (int i = 0; i < UNITS; i++) glt_ult_free(&ults[i]);
  glt_finalize();
  return 0;
}
