// SPDX-License-Identifier: Apache-2.0
// One region, for a process whose environment is a stranger's.
#include <stdio.h>
#include <unistd.h>

int main(void) {
  int sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
  sum += 1;
  printf("%d threads, user %d as %d\n", sum, (int)getuid(), (int)geteuid());
  return sum == 4 ? 0 : 1;
}
