// SPDX-License-Identifier: Apache-2.0
// A thousand pthreads, one after the other, each with regions and the team that it cached: OS
// threads, address space and resident memory stand still.
#include <pthread.h>

#include "process.h"
#include "use_openmp.h"

static int threads;

static void *open_regions(void *argument) {
  use_openmp(threads);
  use_openmp(1 + (int)(size_t)argument % threads);
  return argument;
}

// 200 pthreads.
static void run(int round) {
  for (int i = 0; i < 200; i++) {
    pthread_t thread;
    size_t number = (size_t)(round * 200 + i);
    EXPECT_EQ(pthread_create(&thread, NULL, open_regions, (void *)number), 0);
    pthread_join(thread, NULL);
  }
}

int main(int argc, char **argv) {
  threads = omp_get_max_threads();
  if (argc > 1 && strcmp(argv[1], "beside") == 0) use_openmp(threads);
  run(4);
  growth least = least_growth(run);
  // A leak would be one for each of 200 pthreads: an OS thread, a stack of 8 MiB, a page.
  EXPECT(least.os_threads <= 4, "%ld more OS threads", least.os_threads);
  EXPECT(least.size_kib < 200 * 1024, "%ld KiB more", least.size_kib);
  EXPECT(least.resident_kib < 200 * 4, "%ld KiB more in memory", least.resident_kib);
  return 0;
}
