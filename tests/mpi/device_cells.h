// SPDX-License-Identifier: Apache-2.0
// A region that changes an array on a device, by a function and a variable that the device has too, and where it ran; and
// what a chain of small regions on one device adds up to.
#pragma once

#include <omp.h>
#include <unistd.h>

enum { CELLS = 200000, ROUNDS = 20 };

#pragma omp declare target
int bias = 5;
static int changed(int x) { return 2 * x + bias; }
#pragma omp end declare target

static int cells[CELLS];

typedef struct {
  int process, initial, number;  // where it ran, as it was told there
  int right;                     // the array has what it should
} Ran;

static Ran change_on(int device) {
  int process = 0, initial = -1, number = -1, right = 1;
  for (int i = 0; i < CELLS; i++) cells[i] = i;
#pragma omp target device(device) map(tofrom : cells) map(from : process, initial, number)
  {
    process = getpid();
    initial = omp_is_initial_device();
    number = omp_get_device_num();
#pragma omp parallel for
    for (int i = 0; i < CELLS; i++) cells[i] = changed(cells[i]);
  }
  for (int i = 0; i < CELLS; i++) right &= cells[i] == 2 * i + 5;
  return (Ran){process, initial, number, right};
}

// One region on each device, which follows the one before there.
static void add_round(int *sums, int devices, int round) {
  for (int d = 0; d < devices; d++) {
#pragma omp target device(d) nowait map(tofrom : sums[d : 1]) depend(inout : sums[d])
    sums[d] = sums[d] * 3 + round;
  }
}

static int are_sums_right(const int *sums, int devices) {
  int wanted = 0, right = 1;
  for (int round = 0; round < ROUNDS; round++) wanted = (int)((unsigned)wanted * 3u + (unsigned)round);
  for (int d = 0; d < devices; d++) right &= sums[d] == wanted;
  return right;
}
