// SPDX-License-Identifier: Apache-2.0
// What a region on a device costs: offloads.c COUNT prints, a line each: the smallest, median and largest time in µs of
// COUNT empty regions; the longest that the machine by itself kept the thread from its clock, in as many times as long;
// the times of regions with 4 KB, 1 MB and 64 MB mapped to and fro; and the rates in GB/s of target update to and from,
// and of memcpy.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(const char *name, double *times, int count) {
  qsort(times, (size_t)count, sizeof *times, by_size);
  printf("%s %.3f %.3f %.3f\n", name, 1e6 * times[0], 1e6 * times[count / 2], 1e6 * times[count - 1]);
}

// What the machine takes by itself: the longest between two looks at the clock, in a time `each` long.
static void nothing(double *times, int count, double each) {
  for (int i = 0; i < count; i++) {
    double begin = now(), last = begin, most = 0;
    for (double at = begin; at - begin < each; last = at) {
      at = now();
      if (at - last > most) most = at - last;
    }
    times[i] = most;
  }
  report("nothing", times, count);
}

static void empty(double *times, int count) {
  for (int i = -100; i < count; i++) {
    double begin = now();
#pragma omp target
    {
    }
    if (i >= 0) times[i] = now() - begin;
  }
  report("empty", times, count);
}

static void mapped(const char *name, char *data, size_t bytes, double *times, int count) {
  for (int i = -2; i < count; i++) {
    double begin = now();
    data[0] = 1;
#pragma omp target map(tofrom : data[0 : bytes])
    data[0]++;
    if (i >= 0) times[i] = now() - begin;
    if (data[0] != 2) exit(1);
  }
  report(name, times, count);
}

static void rate(const char *name, double *times, int count, size_t bytes) {
  qsort(times, (size_t)count, sizeof *times, by_size);
  printf("%s %.4f\n", name, 1e-9 * (double)bytes / times[count / 2]);
}

static void *(*volatile const copy)(void *, const void *, size_t) = memcpy;  // not left out

static void copies(char *data, char *other, size_t bytes, double *times, int count) {
#pragma omp target enter data map(to : data[0 : bytes])
  for (int i = -1; i < count; i++) {
    double begin = now();
#pragma omp target update to(data[0 : bytes])
    if (i >= 0) times[i] = now() - begin;
  }
  rate("to", times, count, bytes);
  for (int i = -1; i < count; i++) {
    double begin = now();
#pragma omp target update from(data[0 : bytes])
    if (i >= 0) times[i] = now() - begin;
  }
  rate("from", times, count, bytes);
#pragma omp target exit data map(delete : data[0 : bytes])
  for (int i = -1; i < count; i++) {
    double begin = now();
    copy(other, data, bytes);
    if (i >= 0) times[i] = now() - begin;
    data[i + 1]++;
  }
  rate("memcpy", times, count, bytes);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 10000, on_host = 1;
  size_t most = (size_t)64 << 20;
  double *times = malloc((size_t)count * sizeof *times);
  char *data = malloc(most), *other = malloc(most);
  memset(data, 1, most);
  memset(other, 1, most);
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  if (on_host) {
    fprintf(stderr, "offloads: there is no device\n");
    return 1;
  }
  empty(times, count);
  nothing(times, count, times[count / 2]);
  mapped("4KB", data, (size_t)4 << 10, times, count);
  mapped("1MB", data, (size_t)1 << 20, times, count < 200 ? count : 200);
  mapped("64MB", data, most, times, 10);
  copies(data, other, most, times, 10);
  return 0;
}
