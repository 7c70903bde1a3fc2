// SPDX-License-Identifier: Apache-2.0
// The loop construct bound to a parallel region, a league and a thread, with collapse, reduction,
// lastprivate and order(concurrent) (OpenMP 5.2 §11.7).
#include <omp.h>
#include "expect.h"

enum { trips = 300 };

int main(void) {
  static int seen[trips];
  int sum = 0, last = -1;
#pragma omp parallel
  {
#pragma omp loop bind(parallel) reduction(+ : sum) lastprivate(last)
    for (last = 0; last < trips; last++) sum += last;
#pragma omp loop order(concurrent)
    for (int i = 0; i < trips; i++) seen[i]++;
  }
  EXPECT_EQ(sum, trips * (trips - 1) / 2);
  EXPECT_EQ(last, trips);
#pragma omp parallel loop collapse(2)
  for (int i = 0; i < 15; i++)
    for (int j = 0; j < 20; j++) seen[i * 20 + j]++;
#pragma omp teams num_teams(2)
#pragma omp loop bind(teams)
  for (int i = 0; i < trips; i++) seen[i]++;
#pragma omp teams loop num_teams(2)
  for (int i = 0; i < trips; i++) seen[i]++;
#pragma omp loop bind(thread)
  for (int i = 0; i < trips; i++) seen[i]++;
#pragma omp parallel for order(reproducible : concurrent) schedule(static, 2)
  for (int i = 0; i < trips; i++) seen[i]++;
  for (int i = 0; i < trips; i++) EXPECT_EQ(seen[i], 6);
  return 0;
}
