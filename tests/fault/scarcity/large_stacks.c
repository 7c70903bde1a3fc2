// SPDX-License-Identifier: Apache-2.0
// Threads that need more stack than the initial thread, or the pthread that opens the region, has: they
// have what OMP_STACKSIZE says, wherever they run.
// usage: large_stacks, with OMP_STACKSIZE=64M and a limit of 8 MiB for the process's own stack
#include <pthread.h>

#include "use_openmp.h"

// Thirty megabytes of frames.
static int descend(int depth) {
  volatile char frame[1 << 20];
  for (int i = 0; i < 1 << 20; i += 4096) frame[i] = (char)depth;
  return depth == 0 ? 1 : descend(depth - 1) + (frame[4096] == (char)depth ? 0 : 1000);
}

static void *open_regions(void *argument) {
  int threads = *(int *)argument, sum = 0;
  for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    if (omp_get_thread_num() != 0) sum += descend(30);
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
#pragma omp barrier
      if (omp_get_thread_num() != 0) sum += descend(30);
    }
  }
  EXPECT_EQ(sum, 40 * (threads - 1));
  return argument;
}

int main(void) {
  int threads = omp_get_max_threads();
  pthread_t thread;
  pthread_attr_t attributes;
  omp_set_dynamic(0);
  open_regions(&threads);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1 << 20);
  EXPECT_EQ(pthread_create(&thread, &attributes, open_regions, &threads), 0);
  pthread_join(thread, NULL);
  use_openmp(threads);
  puts("went on");
  return 0;
}
