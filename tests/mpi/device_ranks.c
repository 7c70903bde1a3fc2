// SPDX-License-Identifier: Apache-2.0
// Says which devices there are and on which process and device each region ran; or, as the argument says, how often
// empty regions end, or what comes of a rank that dies.
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CELLS = 100000 };

#pragma omp declare target
int bias = 5;
static int changed(int x) { return 2 * x + bias; }
#pragma omp end declare target

static int cells[CELLS];

static void on(int device) {
  int process = 0, initial = -1, number = -1;
  for (int i = 0; i < CELLS; i++) cells[i] = i;
#pragma omp target device(device) map(tofrom : cells) map(from : process, initial, number)
  {
    process = getpid();
    initial = omp_is_initial_device();
    number = omp_get_device_num();
#pragma omp parallel for
    for (int i = 0; i < CELLS; i++) cells[i] = changed(cells[i]);
  }
  int right = 1;
  for (int i = 0; i < CELLS; i++) right &= cells[i] == 2 * i + 5;
  printf("%d: %s, %s %d, %s\n", device, process == getpid() ? "here" : "elsewhere", initial ? "host" : "device", number,
         right ? "right" : "wrong");
}

// Regions on all devices at once, and their order by dependences.
static void all_at_once(void) {
  int n = omp_get_num_devices(), sums[16] = {0};
  for (int round = 0; round < 20; round++)
    for (int d = 0; d < n; d++) {
#pragma omp target device(d) nowait map(tofrom : sums[d : 1]) depend(inout : sums[d])
      sums[d] = sums[d] * 3 + round;
    }
#pragma omp taskwait
  int wanted = 0, right = 1;
  for (int round = 0; round < 20; round++) wanted = (int)((unsigned)wanted * 3u + (unsigned)round);
  for (int d = 0; d < n; d++) right &= sums[d] == wanted;
  printf("at once: %s\n", right ? "right" : "wrong");
}

static void die(void) {
  pid_t host = getpid();
#pragma omp target device(0)
  if (getpid() != host) kill(getpid(), SIGKILL);
  printf("after\n");
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "die") == 0) {
    die();
    return 0;
  }
  printf("%d devices\n", omp_get_num_devices());
  for (int d = 0; d < omp_get_num_devices(); d++) on(d);
  all_at_once();
  return 0;
}
