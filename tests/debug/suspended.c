// SPDX-License-Identifier: Apache-2.0
// Stops in `stop_here` while all other threads of the team have come to a barrier.
#include <omp.h>
#include <stdio.h>

static int arrived;

__attribute__((noinline)) void stop_here(void) {
  puts("all have come");
  fflush(stdout);
}

__attribute__((noinline)) void wait_here(int number) {
  int count;
#pragma omp atomic capture
  count = ++arrived;
  if (count == omp_get_num_threads()) stop_here();
#pragma omp barrier
  if (number < 0) puts("never");
}

int main(void) {
#pragma omp parallel num_threads(16)
  wait_here(omp_get_thread_num());
  return 0;
}
