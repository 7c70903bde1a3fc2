// SPDX-License-Identifier: Apache-2.0
// Offloads leave nothing behind: the host's memory and the device's do not grow with their number. LEAKS_ROUNDS asks for
// more than the test has time for.
#include <stdlib.h>
#include <string.h>

#include "on_device.h"

enum { in_a_round = 500, rounds = 8, most_kb = 48 };

#pragma omp declare target
// Of the process that calls; -1: the system does not say.
static long resident_kb(void) {
  char line[256];
  long kb = -1;
  FILE *file = fopen("/proc/self/status", "re");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    if (strncmp(line, "VmRSS:", 6) == 0) kb = atol(line + 6);
  if (file != NULL) fclose(file);
  return kb;
}
#pragma omp end declare target

static void offloads(double *data, int n) {
  int count = 0;
  struct { int n; double *x; } vector = {n, data};
  (void)vector;
  for (int i = 0; i < in_a_round; i++) {
#pragma omp target map(tofrom : data[0 : n]) map(tofrom : count)
    data[i % n] += ++count;
#pragma omp target nowait map(tofrom : count) firstprivate(i)
    count += i % 2;
#pragma omp taskwait
#pragma omp target enter data map(to : vector)
#pragma omp target enter data map(to : vector.x[0 : n])
#pragma omp target update from(data[0 : n])
#pragma omp target exit data map(release : vector.x[0 : n])
#pragma omp target exit data map(release : vector)
#pragma omp target data map(tofrom : data[0 : n]) use_device_ptr(data)
#pragma omp target is_device_ptr(data)
    data[0] += 1;
  }
  EXPECT_EQ(count, in_a_round + in_a_round / 2);
}

static void measure(long *here, long *there) {
  long kb = 0;
  *here = resident_kb();
#pragma omp target map(from : kb)
  kb = resident_kb();
  *there = kb;
}

int main(void) {
  expect_devices();
  const char *asked = getenv("LEAKS_ROUNDS");
  int count = asked != NULL ? atoi(asked) : rounds;
  long here[2], there[2];
  double data[40] = {0};
  for (int round = 0; round < count; round++) {
    offloads(data, 40);
    if (round == 1) measure(&here[0], &there[0]);  // which costs memory the first time
    if (round == 1) measure(&here[0], &there[0]);
  }
  measure(&here[1], &there[1]);
  EXPECT(here[0] > 0 && there[0] > 0, "the system does not say how much memory is in use");
  EXPECT(here[1] - here[0] <= most_kb, "the host's memory grew by %ld KB", here[1] - here[0]);
  EXPECT(there[1] - there[0] <= most_kb, "the device's memory grew by %ld KB", there[1] - there[0]);
  return 0;
}
