// SPDX-License-Identifier: Apache-2.0
// Under a CPU quota the threads of a region are as many as the CPUs that it amounts to, fractions
// counted as one, and no more than the machine grants.
// usage: quota CPUS
#include "use_openmp.h"

int main(int argc, char **argv) {
  EXPECT(argc == 2, "usage");
  int expected = atoi(argv[1]), members = 0;
  if (expected > omp_get_num_procs()) expected = omp_get_num_procs();
  EXPECT_EQ(omp_get_max_threads(), expected);
#pragma omp parallel reduction(+ : members)
  members++;
  EXPECT_EQ(members, expected);
  use_openmp(4);
  return 0;
}
