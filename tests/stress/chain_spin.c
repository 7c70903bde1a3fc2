// SPDX-License-Identifier: Apache-2.0
// The chain before any barrier of the region.
#include "chain.h"

int main(void) {
  int n = prepare_chain(), members = 0;
#pragma omp parallel num_threads(n) reduction(+ : members)
  {
    pass_chain(omp_get_thread_num());
    members++;
  }
  EXPECT_EQ(members, n);
  EXPECT_EQ(released[0], 1);
  return 0;
}
