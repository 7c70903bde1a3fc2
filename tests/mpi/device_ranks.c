// SPDX-License-Identifier: Apache-2.0
// Says which devices there are and on which process and device each region ran; or, as the argument says, how often
// empty regions end, or what comes of a rank that dies.
#include <omp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device_cells.h"

static void on(int device) {
  Ran ran = change_on(device);
  printf("%d: %s, %s %d, %s\n", device, ran.process == getpid() ? "here" : "elsewhere", ran.initial ? "host" : "device",
         ran.number, ran.right ? "right" : "wrong");
}

// Regions on all devices at once, and their order by dependences.
static void all_at_once(void) {
  int n = omp_get_num_devices(), sums[16] = {0};
  for (int round = 0; round < ROUNDS; round++) add_round(sums, n, round);
#pragma omp taskwait
  printf("at once: %s\n", are_sums_right(sums, n) ? "right" : "wrong");
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
