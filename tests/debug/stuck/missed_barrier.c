// SPDX-License-Identifier: Apache-2.0
// A barrier that one thread of the team does not come to.
#include <omp.h>

__attribute__((noinline)) static void meet(void) {
#pragma omp barrier
}

int main(void) {
#pragma omp parallel num_threads(4)
  if (omp_get_thread_num() != 2) meet();
  return 0;
}
