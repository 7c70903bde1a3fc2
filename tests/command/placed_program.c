// SPDX-License-Identifier: Apache-2.0
// Nested teams to be drawn: ten times a team of three, each of whose members opens a team of two.
#include <omp.h>
#include <stdio.h>

int main(void) {
  int members = 0;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(3) reduction(+ : members)
#pragma omp parallel num_threads(2) reduction(+ : members)
    members++;
  }
  printf("%d members\n", members);
  return members == 60 ? 0 : 1;
}
