// SPDX-License-Identifier: Apache-2.0
// Calibration, sampling and the JSON line of the construct benchmarks.
#define _GNU_SOURCE
#include "measure.h"

#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { MAX_SAMPLES = 256 };
static const double WARM_UP_S = 0.03;

Counter counters[MAX_THREADS];
int team_size;

void clear_counters(void) {
  for (int i = 0; i < MAX_THREADS; i++) counters[i].n = 0;
}

int64_t sum_counters(void) {
  int64_t sum = 0;
  for (int i = 0; i < MAX_THREADS; i++) sum += counters[i].n;
  return sum;
}

double checked(double seconds, bool correct) { return correct ? seconds : WRONG; }

// Repetitions that fill a sample, by the fastest run so far.
static long repetitions(const Case *c, const Plan *plan, double fastest) {
  double inner = fastest > 0 ? plan->target_s / fastest : 1.0;
  if (c->max_inner && inner > (double)c->max_inner) inner = (double)c->max_inner;
  return inner < 1.0 ? 1 : (long)inner;
}

// Runs the case for some time before anything counts: the kernel needs some milliseconds to spread
// new threads over the cores, and a team whose members share one is slower by two orders of
// magnitude. Returns the seconds of one repetition in the fastest run, or WRONG.
static double warm_up(const Case *c, const Plan *plan, double deadline) {
  double fastest = INFINITY, end = now() + fmax(2.0 * plan->target_s, WARM_UP_S);
  long inner = 1;
  bool settled;
  do {
    long ran = inner;
    double seconds = c->run(ran);
    if (isnan(seconds)) return WRONG;
    if (seconds / (double)ran < fastest) fastest = seconds / (double)ran;
    long next = repetitions(c, plan, fastest);
    inner = next < 8 * inner ? next : 8 * inner;
    settled = seconds < 1.5 * fastest * (double)ran;
  } while (now() < deadline && (now() < end || !settled));
  return fastest;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double cpu_seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// The file that the OpenMP entry points come from: the driver compares it with what it asked for.
static const char *runtime_file(void) {
  Dl_info info;
  return dladdr((void *)omp_get_num_threads, &info) && info.dli_fname ? info.dli_fname : "";
}

static void print_result(const Case *c, const Plan *plan, long inner, double *ns, int n,
                         double cpu_share) {
  printf("{\"case\":\"%s\",\"threads\":%d,\"ok\":%s,\"unit\":\"ns\",\"inner\":%ld,", c->name,
         plan->threads, n > 0 ? "true" : "false", inner);
  printf("\"os_threads\":%d,\"os_threads_peak\":%d,\"os_threads_created\":%d,", os_threads_now(),
         os_threads_peak(), os_threads_created());
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  printf("\"max_rss_kib\":%ld,\"cpu_share\":%.3f,\"runtime\":\"%s\",\"samples\":[", usage.ru_maxrss,
         cpu_share, runtime_file());
  for (int i = 0; i < n; i++) printf("%s%.3f", i ? "," : "", ns[i]);
  qsort(ns, (size_t)n, sizeof *ns, ascending);
  double median = n == 0 ? 0.0 : n % 2 ? ns[n / 2] : 0.5 * (ns[n / 2 - 1] + ns[n / 2]);
  printf("],\"median\":%.3f,\"min\":%.3f,\"max\":%.3f}\n", median, n ? ns[0] : 0.0,
         n ? ns[n - 1] : 0.0);
  fflush(stdout);
}

bool measure(const Case *c, const Plan *plan) {
  double ns[MAX_SAMPLES];
  int n = 0;
  double deadline = now() + plan->budget_s;
  double fastest = warm_up(c, plan, deadline);
  bool correct = !isnan(fastest);
  long inner = 1;
  int wanted = plan->samples < MAX_SAMPLES ? plan->samples : MAX_SAMPLES;
  double wall = now(), cpu = cpu_seconds();
  while (correct && n < wanted && (n == 0 || now() < deadline)) {
    inner = repetitions(c, plan, fastest);
    double seconds = c->run(inner);
    correct = !isnan(seconds);
    double ops = (double)inner * (double)c->ops * (c->per_thread ? plan->threads : 1);
    if (correct) ns[n++] = 1e9 * seconds / ops;
    if (seconds / (double)inner < fastest) fastest = seconds / (double)inner;
  }
  wall = now() - wall;
  cpu = cpu_seconds() - cpu;
  print_result(c, plan, inner, ns, correct ? n : 0, wall > 0 ? cpu / wall : 0.0);
  return correct;
}
