// SPDX-License-Identifier: Apache-2.0
// What /proc says of the calling process.
#ifndef TULLE_TESTS_PROCESS_H
#define TULLE_TESTS_PROCESS_H

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

#endif
