// SPDX-License-Identifier: Apache-2.0
// The chain the other way round: thread i spins for thread i - 1, and thread 0, which encountered
// the region, goes first; again and again, so that the runtime has seen the region spin before.
#include <omp.h>
#include "expect.h"
#include "spin.h"

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads(), rounds = n > 16 ? 1 : 4;
  for (int round = 0; round < rounds; round++) {
    int released[64 + 1] = {1}, order[64], position = 0;
#pragma omp parallel shared(released, order, position)
    {
      int self = omp_get_thread_num();
      spin_until_set(&released[self]);
      order[position++] = self;
      set_flag(&released[self + 1]);
    }
    for (int i = 0; i < n; i++) EXPECT_EQ(order[i], i);
  }
  return 0;
}
