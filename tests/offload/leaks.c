// SPDX-License-Identifier: Apache-2.0
// Offloads leave nothing behind: the host's memory and the device's and their open files do not grow with their number.
// LEAKS_ROUNDS asks for more than the test has time for: 667 are a million regions.
#include <fcntl.h>
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

static int open_files(void) {
  int count = 0;
  for (int file = 0; file < 1024; file++) count += fcntl(file, F_GETFD) != -1;
  return count;
}
#pragma omp end declare target

struct use {
  long kb;
  int files;
};

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

static void measure(struct use *here, struct use *there) {
  long kb = 0;
  int files = 0;
  here->kb = resident_kb();
  here->files = open_files();
#pragma omp target map(from : kb, files)
  {
    kb = resident_kb();
    files = open_files();
  }
  there->kb = kb;
  there->files = files;
}

static void compare(const char *whose, const struct use *before, const struct use *after) {
  EXPECT(before->kb > 0 && before->files > 0, "the system does not say what the %s uses", whose);
  EXPECT(after->kb - before->kb <= most_kb, "the %s's memory grew by %ld KB", whose, after->kb - before->kb);
  EXPECT(after->files == before->files, "the %s has %d files open, and had %d", whose, after->files, before->files);
}

int main(void) {
  expect_devices();
  const char *asked = getenv("LEAKS_ROUNDS");
  int count = asked != NULL ? atoi(asked) : rounds;
  struct use here[2], there[2];
  double data[40] = {0};
  for (int round = 0; round < count; round++) {
    offloads(data, 40);
    if (round == 1) measure(&here[0], &there[0]);  // which costs memory the first time
    if (round == 1) measure(&here[0], &there[0]);
  }
  measure(&here[1], &there[1]);
  compare("host", &here[0], &here[1]);
  compare("device", &there[0], &there[1]);
  if (asked != NULL)
    printf("memory +%ld KB and +%ld KB, %d and %d files\n", here[1].kb - here[0].kb, there[1].kb - there[0].kb, here[1].files,
           there[1].files);
  return 0;
}
