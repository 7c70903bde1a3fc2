// SPDX-License-Identifier: Apache-2.0
// After a region a program that sits outside regions for a second burns no CPU in it, whatever the
// wait policy; a passive one sleeps at once, so that waiting members cost no CPU either.
// usage: quiet MILLISECONDS_PER_CORE [waiting]
#include <sys/resource.h>
#include <time.h>

#include "../process.h"

static double cpu_ms(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

static void rest(void) {
  struct timespec second = {1, 0};
  while (nanosleep(&second, &second) != 0) {
  }
}

int main(int argc, char **argv) {
  EXPECT(argc > 1, "usage");
  double limit = atof(argv[1]) * (double)sysconf(_SC_NPROCESSORS_ONLN);
  int n = omp_get_max_threads();
  use_openmp(n);
  double begin = cpu_ms();
  if (argc > 2) {
#pragma omp parallel num_threads(n)
    {
      if (omp_get_thread_num() == 0) rest();
    }
  } else {
    rest();
  }
  double burnt = cpu_ms() - begin;
  EXPECT(burnt <= limit, "%.1f ms of CPU time, at most %.1f", burnt, limit);
  return 0;
}
