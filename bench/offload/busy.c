// SPDX-License-Identifier: Apache-2.0
// How busy devices are kept: busy.c DEVICES COUNT gives each device COUNT regions of 1 ms, none of which waits for
// another, and prints for each which part of the time, in percent, it spent in them, and the median of the gaps between
// two of them in µs, which a busy machine changes less.
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

typedef struct {
  double begin, end;
} Region;

static int by_begin(const void *a, const void *b) {
  double x = ((const Region *)a)->begin, y = ((const Region *)b)->begin;
  return (x > y) - (x < y);
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(Region *regions, int count, double whole) {
  double *gaps = malloc((size_t)count * sizeof *gaps), sum = 0;
  qsort(regions, (size_t)count, sizeof *regions, by_begin);
  for (int i = 0; i < count; i++) {
    sum += regions[i].end - regions[i].begin;
    gaps[i] = i + 1 < count ? regions[i + 1].begin - regions[i].end : 0;
  }
  qsort(gaps, (size_t)count - 1, sizeof *gaps, by_size);
  printf("%.2f %.2f\n", 100 * sum / whole, 1e6 * gaps[count / 2]);
  free(gaps);
}

int main(int argc, char **argv) {
  int devices = argc > 1 ? atoi(argv[1]) : 2, count = argc > 2 ? atoi(argv[2]) : 1000;
  if (devices > omp_get_num_devices() || count < 2) {
    fprintf(stderr, "busy: there are %d devices\n", omp_get_num_devices());
    return 1;
  }
  Region *regions = calloc((size_t)devices * (size_t)count, sizeof *regions);
  for (int d = 0; d < devices; d++) {
#pragma omp target device(d)
    {
    }
  }
  double begin = clock_now();
  for (int i = 0; i < count; i++)
    for (int d = 0; d < devices; d++) {
      Region *mine = &regions[d * count + i];
#pragma omp target device(d) nowait map(from : mine[0 : 1])
      {
        double from = clock_now(), now = from;
        while (now - from < MILLISECOND) now = clock_now();
        mine[0].begin = from;
        mine[0].end = now;
      }
    }
#pragma omp taskwait
  double whole = clock_now() - begin;
  for (int d = 0; d < devices; d++) report(&regions[d * count], count, whole);
  free(regions);
  return 0;
}
