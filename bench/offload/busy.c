// SPDX-License-Identifier: Apache-2.0
// How busy devices are kept: busy.c DEVICES COUNT gives each device COUNT regions of 1 ms, none of which waits for
// another, and prints for each which part of the time, in percent, it spent in them.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define MILLISECOND 1e-3

#pragma omp declare target
double clock_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}
#pragma omp end declare target

int main(int argc, char **argv) {
  int devices = argc > 1 ? atoi(argv[1]) : 2, count = argc > 2 ? atoi(argv[2]) : 1000;
  if (devices > omp_get_num_devices()) {
    fprintf(stderr, "busy: there are %d devices\n", omp_get_num_devices());
    return 1;
  }
  double *spent = calloc((size_t)devices * (size_t)count, sizeof *spent);
  for (int d = 0; d < devices; d++) {
#pragma omp target device(d)
    {
    }
  }
  double begin = clock_now();
  for (int i = 0; i < count; i++)
    for (int d = 0; d < devices; d++) {
      double *mine = &spent[d * count + i];
#pragma omp target device(d) nowait map(from : mine[0 : 1])
      {
        double from = clock_now(), now = from;
        while (now - from < MILLISECOND) now = clock_now();
        mine[0] = now - from;
      }
    }
#pragma omp taskwait
  double whole = clock_now() - begin;
  for (int d = 0; d < devices; d++) {
    double sum = 0;
    for (int i = 0; i < count; i++) sum += spent[d * count + i];
    printf("%.2f\n", 100 * sum / whole);
  }
  return 0;
}
