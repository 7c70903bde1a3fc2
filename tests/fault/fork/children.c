// SPDX-License-Identifier: Apache-2.0
// fork() from the initial thread: before the first region, after regions, after teams larger than
// the machine; each child opens regions, forks children of its own and ends by exit or _exit.
#include "process.h"
#include "use_openmp.h"

static void child_of_child(int depth, int threads) {
  if (depth == 0) return;
  pid_t child = fork();
  if (child == 0) {
    alarm(50);
    use_openmp(threads);
    child_of_child(depth - 1, threads);
    exit(depth);
  }
  use_openmp(threads);
  expect_child(child, depth);
}

static void fork_once(int round, int threads) {
  pid_t child = fork();
  if (child == 0) {
    alarm(50);
    use_openmp(1 + round % threads);
    use_openmp(threads);
    if (round % 2) _exit(round);
    exit(round);
  }
  expect_child(child, round);
}

int main(void) {
  int n = omp_get_max_threads();
  fork_once(1, n);
  for (int round = 0; round < 6; round++) {
    use_openmp(n);
    fork_once(round, n);
    use_openmp(4 * n > 64 ? 64 : 4 * n);
    fork_once(round, n);
  }
  child_of_child(4, n);
  use_openmp(n);
  return 0;
}
