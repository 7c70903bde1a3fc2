// SPDX-License-Identifier: Apache-2.0
// Nothing is wrong: a thread computes while the others wait for it.
#include <omp.h>

int main(void) {
  volatile long turns = 0;
#pragma omp parallel num_threads(3)
  {
    if (omp_get_thread_num() == 1)
      for (;;) ++turns;
#pragma omp barrier
  }
  return 0;
}
