// SPDX-License-Identifier: Apache-2.0
// The chain after a barrier of the region, and with another one behind it.
#include "chain.h"

int main(void) {
  int n = prepare_chain(), members = 0;
#pragma omp parallel num_threads(n) reduction(+ : members)
  {
    int self = omp_get_thread_num();
#pragma omp barrier
    pass_chain(self);
    members++;
#pragma omp barrier
    EXPECT_EQ(released[0], 1);
  }
  EXPECT_EQ(members, n);
  EXPECT_EQ(released[0], 1);
  return 0;
}
