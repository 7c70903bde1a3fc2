// SPDX-License-Identifier: Apache-2.0
// What /proc and the kernel's accounts say of the calling process.
#ifndef TULLE_TESTS_PROCESS_H
#define TULLE_TESTS_PROCESS_H

#include <sys/resource.h>

#include "expect.h"

static inline int os_threads(void) {
  char line[256];
  int threads = -1;
  FILE *status = fopen("/proc/self/status", "r");
  EXPECT(status != NULL, "/proc/self/status cannot be read");
  while (fgets(line, sizeof line, status))
    if (sscanf(line, "Threads: %d", &threads) == 1) break;
  fclose(status);
  return threads;
}

// User and system time of all OS threads.
static inline long cpu_microseconds(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

#endif
