// SPDX-License-Identifier: Apache-2.0
// A thousand pthreads, one after the other, each with regions and the team that it cached: OS
// threads, address space and resident memory stand still.
#include <pthread.h>

#include "../process.h"

static int threads;

static void *open_regions(void *argument) {
  use_openmp(threads);
  use_openmp(1 + (int)(size_t)argument % threads);
  return argument;
}

static void run(int first, int last) {
  for (int i = first; i < last; i++) {
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, NULL, open_regions, (void *)(size_t)i), 0);
    pthread_join(thread, NULL);
  }
}

int main(int argc, char **argv) {
  threads = omp_get_max_threads();
  if (argc > 1 && strcmp(argv[1], "beside") == 0) use_openmp(threads);
  run(0, 200);
  int os = os_threads();
  long size = kib_of("VmSize:"), resident = kib_of("VmRSS:");
  run(200, 1000);
  // The monitor and its spares come when something waits, which may be late.
  EXPECT(os_threads() <= os + 4, "%d, %d after the first pthreads", os_threads(), os);
  // More members may wait at a time than before, each on a stack, and the C library keeps an arena for
  // each OS thread; a leak would be a stack of 8 MiB for each pthread.
  EXPECT(kib_of("VmSize:") < size + 3 * 1024 * 1024, "%ld KiB, then %ld KiB", size, kib_of("VmSize:"));
  EXPECT(kib_of("VmRSS:") < resident + 8 * 1024, "%ld KiB, then %ld KiB", resident, kib_of("VmRSS:"));
  return 0;
}
