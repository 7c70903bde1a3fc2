// SPDX-License-Identifier: Apache-2.0
// What a region on a device costs: offloads.c COUNT prints, a line each: the smallest, median and largest time in µs of
// COUNT empty regions; the longest that the machine by itself kept the thread from its clock, in as many times as long;
// the times that two threads alone take to hand a word over and back, where each has a CPU; the times of regions with
// 4 KB, 1 MB and 64 MB mapped to and fro; and the rates in GB/s of target update to and from, and of memcpy. With a
// second argument the first three alone.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
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

static _Alignas(128) atomic_int handed;
static _Alignas(128) atomic_int taken;

static void bind_to(int cpu) {
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(cpu, &one);
  sched_setaffinity(0, sizeof one, &one);
}

static void *take_each(void *arguments) {
  const int *cpu_and_count = arguments;
  bind_to(cpu_and_count[0]);
  for (int i = 1; i <= cpu_and_count[1]; i++) {
    while (atomic_load_explicit(&handed, memory_order_acquire) != i) continue;
    atomic_store_explicit(&taken, i, memory_order_release);
  }
  return NULL;
}

// As long as an empty region each, by the process's first and last CPU.
static void handover(double *times, int count, const cpu_set_t *cpus, double each) {
  int first = -1, last = -1;
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, cpus)) {
      if (first < 0) first = cpu;
      last = cpu;
    }
  if (first == last) return;
  const int warm = 100, arguments[] = {last, count + warm};
  pthread_t other;
  bind_to(first);
  if (pthread_create(&other, NULL, take_each, (void *)arguments) != 0) return;
  for (int i = -warm; i < count; i++) {
    double begin = now(), end = begin;
    atomic_store_explicit(&handed, i + warm + 1, memory_order_release);
    while (atomic_load_explicit(&taken, memory_order_acquire) != i + warm + 1) continue;
    while ((end = now()) - begin < each) continue;
    if (i >= 0) times[i] = end - begin;
  }
  pthread_join(other, NULL);
  report("handover", times, count);
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
  cpu_set_t cpus;
  sched_getaffinity(0, sizeof cpus, &cpus);
  int count = argc > 1 ? atoi(argv[1]) : 10000, on_host = 1;
  size_t most = (size_t)64 << 20;
  double *times = malloc((size_t)count * sizeof *times);
  char *data = malloc(most), *other = malloc(most);
  memset(data, 1, most);
  memset(other, 1, most);
#pragma omp parallel  // binds this thread, if the user wants that
  {
  }
#pragma omp target map(from : on_host)
  on_host = omp_is_initial_device();
  if (on_host) {
    fprintf(stderr, "offloads: there is no device\n");
    return 1;
  }
  empty(times, count);
  double each = times[count / 2];
  nothing(times, count, each);
  if (argc > 2) {
    handover(times, count, &cpus, each);
    return 0;
  }
  mapped("4KB", data, (size_t)4 << 10, times, count);
  mapped("1MB", data, (size_t)1 << 20, times, count < 200 ? count : 200);
  mapped("64MB", data, most, times, 10);
  copies(data, other, most, times, 10);
  return 0;
}
