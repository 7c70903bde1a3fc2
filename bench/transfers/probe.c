// SPDX-License-Identifier: Apache-2.0
// Repeats one flat construct for the counter of transfers: a mark (SIGUSR1), WARM repetitions, a mark,
// COUNTED repetitions, a mark; and that again on each of PLACES stacks that begin 16 bytes further, for
// what lies on one cache line there differs from process to process. Members name themselves by SIGUSR2.
// Usage: probe CASE.
#define _GNU_SOURCE
#include <alloca.h>
#include <omp.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64, WARM = 4, COUNTED = 4, PLACES = 8, LINE = 128, STEP = 16 };

typedef struct Own {
  _Alignas(LINE) long n;
} Own;

static Own own[MOST];
static _Alignas(LINE) double shared_a[64], shared_b[64];

static void mark(void) { raise(SIGUSR1); }

// In a region: of all members the initial thread's marks where it stands.
static void mark_by_first(int repetition) {
  if (omp_get_thread_num() == 0 && (repetition == 0 || repetition == WARM)) mark();
}

static __attribute__((noinline)) void region(void) {
#pragma omp parallel
  own[omp_get_thread_num()].n++;
}

// Shared variables that the compiler hands over: two pointers, two numbers.
static __attribute__((noinline)) void arguments(double *a, double *b, long first, double factor) {
#pragma omp parallel firstprivate(a, b, first, factor)
  {
    int me = omp_get_thread_num();
    own[me].n += a != b && first + (long)factor > 0;
  }
}

static __attribute__((noinline)) void loop(double *a, const double *b, int n) {
#pragma omp parallel for firstprivate(a, b)
  for (int i = 0; i < n; i++) own[omp_get_thread_num()].n += a[0] == b[0];
}

static __attribute__((noinline)) long reduce(void) {
  long sum = 0;
#pragma omp parallel reduction(+ : sum)
  sum += 1;
  return sum;
}

static void many(void (*construct)(void)) {
  for (int r = 0; r < WARM + COUNTED; r++) {
    if (r == 0 || r == WARM) mark();
    construct();
  }
  mark();
}

static void run_arguments(void) { arguments(shared_a, shared_b, 1, 2.0); }
static void run_loop(void) { loop(shared_a, shared_b, 64); }
static void run_reduce(void) {
  if (reduce() != omp_get_max_threads()) exit(3);
}

static void regions(void) { many(region); }
static void regions_arguments(void) { many(run_arguments); }
static void regions_loop(void) { many(run_loop); }
static void regions_reduce(void) { many(run_reduce); }

#define IN_ONE_REGION(construct)                         \
  _Pragma("omp parallel") {                              \
    for (int r = 0; r < WARM + COUNTED; r++) {           \
      mark_by_first(r);                                  \
      construct;                                         \
    }                                                    \
    if (omp_get_thread_num() == 0) mark();               \
  }

static void barriers(void) { IN_ONE_REGION(_Pragma("omp barrier")) }

static void singles(void) { IN_ONE_REGION(_Pragma("omp single") own[omp_get_thread_num()].n++) }

static void loops_static(void) {
  IN_ONE_REGION(_Pragma("omp for") for (int i = 0; i < 64; i++) own[omp_get_thread_num()].n++)
}

static void loops_dynamic(void) {
  IN_ONE_REGION(_Pragma("omp for schedule(dynamic, 32)") for (int i = 0; i < 64; i++)
                    own[omp_get_thread_num()].n++)
}

typedef struct Probe {
  const char *name;
  void (*run)(void);
} Probe;

static const Probe probes[] = {
    {"parallel", regions},          {"arguments", regions_arguments}, {"parallel_for", regions_loop},
    {"reduction", regions_reduce},  {"barrier", barriers},            {"single", singles},
    {"for_static", loops_static},   {"for_dynamic", loops_dynamic},
};

static __attribute__((noinline)) void run_at(const Probe *probe, int place) {
  volatile char *room = alloca((size_t)(place * STEP + 1));
  room[0] = 0;
  probe->run();
}

// A runtime's threads take some time to come; until then one may stand for another.
static bool are_apart(const pid_t *thread, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      if (thread[i] == thread[j]) return false;
  return true;
}

static void name_members(void) {
  static pid_t thread[MOST];
  for (int tries = 0; tries == 0 || !are_apart(thread, omp_get_max_threads()); tries++) {
    if (tries == 1000) exit(4);
    usleep(1000);
#pragma omp parallel
    {
      thread[omp_get_thread_num()] = gettid();
#pragma omp barrier
    }
  }
#pragma omp parallel
  {
    raise(SIGUSR2);
#pragma omp barrier
  }
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  omp_set_dynamic(0);
  signal(SIGUSR1, SIG_IGN);
  for (unsigned p = 0; p < sizeof probes / sizeof *probes; p++) {
    if (strcmp(probes[p].name, argv[1]) != 0) continue;
    name_members();
    for (int place = 0; place < PLACES; place++) run_at(&probes[p], place);
    return 0;
  }
  return 2;
}
