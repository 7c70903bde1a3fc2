// SPDX-License-Identifier: Apache-2.0
// Opens twenty times a team of six whose members each open a team of three; all teams meet at barriers,
// so that no thread can run before the others have begun.
#include <omp.h>

int main(void) {
  int begun = 0;
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  for (int region = 0; region < 20; region++) {
#pragma omp parallel num_threads(6)
    {
#pragma omp parallel num_threads(3)
      {
#pragma omp barrier
#pragma omp atomic
        begun++;
      }
#pragma omp barrier
    }
  }
  return begun != 20 * 6 * 3;
}
