// SPDX-License-Identifier: Apache-2.0
// Thread i spins, with no OpenMP call, until thread i + 1 has let it go; the last thread starts the
// chain: after a barrier of the region, and with another one behind it.
#include <omp.h>
#include "expect.h"
#include "spin.h"

static int released[64 + 1];

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), members = 0;
  set_flag(&released[n]);
#pragma omp parallel num_threads(n) reduction(+ : members)
  {
    int self = omp_get_thread_num();
#pragma omp barrier
    spin_until_set(&released[self + 1]);
    EXPECT_EQ(omp_get_thread_num(), self);
    members++;
    set_flag(&released[self]);
#pragma omp barrier
    EXPECT_EQ(released[0], 1);
  }
  EXPECT_EQ(members, n);
  EXPECT_EQ(released[0], 1);
  return 0;
}
