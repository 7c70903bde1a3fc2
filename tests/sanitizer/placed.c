// SPDX-License-Identifier: Apache-2.0
// Teams in teams that policies place: the program once more under each policy.
#include <omp.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "expect.h"

enum { outer = 6, inner = 3, regions = 10 };

static int run_as_placed(void) {
  int calls = 0;
  omp_set_max_active_levels(2);
  for (int region = 0; region < regions; region++) {
#pragma omp parallel num_threads(outer)
#pragma omp parallel num_threads(inner)
    {
      for (volatile int i = 0; i < 3000; i++) continue;  // so that other workers come by
#pragma omp atomic
      calls++;
    }
  }
  EXPECT_EQ(calls, outer * inner * regions);
  return 0;
}

int main(int count, char **arguments) {
  static const char *const policies[] = {"spread", "affinity", "scatter:2", "shared", "random"};
  (void)count;
  if (getenv("TULLE_POLICY") != NULL) return run_as_placed();
  for (unsigned i = 0; i < sizeof policies / sizeof *policies; i++) {
    pid_t child = fork();
    if (child == 0) {
      setenv("TULLE_POLICY", policies[i], 1);
      execv(arguments[0], arguments);
      _exit(127);
    }
    int status = 0;
    EXPECT(waitpid(child, &status, 0) == child && status == 0, "%s: status %d", policies[i], status);
  }
  return 0;
}
