// SPDX-License-Identifier: Apache-2.0
// Without OMP_STACKSIZE a thread's stack has what the process's own may have: threads that need more
// than the usual 8 MiB overflowed theirs under a larger limit.
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "expect.h"

enum { MIB = 1 << 20, LIMIT = 64 * MIB, DEPTH = 20 };

static int use_stack(int depth) {
  volatile char frame[MIB];
  memset((void *)frame, 1, sizeof frame);
  return (depth > 1 ? use_stack(depth - 1) : 0) + frame[depth];
}

static void run_with_limit(char **arguments) {
  struct rlimit limit;
  EXPECT_EQ(getrlimit(RLIMIT_STACK, &limit), 0);
  if (limit.rlim_max < LIMIT) exit(0);  // nobody may ask for so much here
  limit.rlim_cur = LIMIT;
  EXPECT_EQ(setrlimit(RLIMIT_STACK, &limit), 0);
  unsetenv("OMP_STACKSIZE");
  char *again[] = {arguments[0], (char *)"again", NULL};
  execv("/proc/self/exe", again);
  EXPECT_EQ(0, 1);
}

int main(int count, char **arguments) {
  if (count == 1) run_with_limit(arguments);
  int n = omp_get_max_threads(), sum = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
  {
    sum += use_stack(DEPTH);
#pragma omp barrier
  }
  EXPECT_EQ(sum, DEPTH * n);
  return 0;
}
