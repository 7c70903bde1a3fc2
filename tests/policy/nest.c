// SPDX-License-Identifier: Apache-2.0
// Opens ten times a team of six whose members each open a team of three. Each thread works for a
// moment, so that other workers come by.
#include <omp.h>

static void work(void) {
  double end = omp_get_wtime() + 2e-4;
  while (omp_get_wtime() < end) {
  }
}

int main(void) {
  omp_set_max_active_levels(2);
  for (int region = 0; region < 10; region++) {
#pragma omp parallel num_threads(6)
    {
      work();
#pragma omp parallel num_threads(3)
      work();
    }
  }
  return 0;
}
