// SPDX-License-Identifier: Apache-2.0
// The chain through all members of nested teams: global member g spins for member g + 1, which may be
// in another team; then a chain inside each team at the same time.
#include <omp.h>
#include "expect.h"
#include "spin.h"

static int released[64 + 1], inner_released[64][64 + 1];

static void run(int outer, int inner, int across) {
  int all = outer * inner;
  for (int i = 0; i <= all; i++) released[i] = i == all;
  for (int t = 0; t < outer; t++)
    for (int i = 0; i <= inner; i++) inner_released[t][i] = i == inner;
  int members = 0;
#pragma omp parallel num_threads(outer) reduction(+ : members)
  {
    int team = omp_get_thread_num();
#pragma omp parallel num_threads(inner) reduction(+ : members)
    {
      int self = omp_get_thread_num(), global = team * inner + self;
      int *chain = across ? released : inner_released[team];
      int place = across ? global : self;
      spin_until_set(&chain[place + 1]);
      EXPECT_EQ(omp_get_thread_num(), self);
      EXPECT_EQ(omp_get_ancestor_thread_num(1), team);
      members++;
      set_flag(&chain[place]);
    }
  }
  EXPECT_EQ(members, all);
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads(), inner = n >= 16 ? 4 : n >= 4 ? 2 : 1, outer = n / inner;
  run(outer, inner, 1);
  if (n > 16) return 0;
  run(outer, inner, 0);
  run(inner, outer, 1);
  return 0;
}
