/* SPDX-License-Identifier: Apache-2.0 */
#include <omp.h>
#include <stdio.h>
#include <tulle/tulle.h>

int main(void) {
  int threads = 0;
#pragma omp parallel num_threads(3)
  {
    if (omp_get_num_threads() == 3) __atomic_fetch_add(&threads, 1, __ATOMIC_RELAXED);
  }
  printf("%d threads on %s\n", threads, tulle_present() ? "Tulle" : "something else");
  return 0;
}
