// SPDX-License-Identifier: Apache-2.0
// The measuring frame of all benchmark programs. A case performs `inner` repetitions of a
// construct, checks its own result and returns the seconds that they took; measure.c finds out how
// many repetitions fill a sample, takes the samples and prints one JSON line.
// Everything here is called from the initial thread, outside parallel regions, unless it says so.
#ifndef TULLE_BENCH_MEASURE_H
#define TULLE_BENCH_MEASURE_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

enum { MAX_THREADS = 512, LINE = 64 };

// What a case returns when its result is not the expected one.
#define WRONG NAN

// A case gives `run`, or `work` with `check`, or `value`, or `first_value`.
typedef struct Case {
  const char *name;
  double (*run)(long inner);             // seconds for `inner` repetitions, or WRONG
  void (*setup)(const struct Case *);    // once, before anything is timed
  void (*work)(const struct Case *);     // one repetition
  bool (*check)(const struct Case *);    // after each sample: is the last repetition's result right?
  double (*value)(const struct Case *);  // found by the case itself, or WRONG
  double (*first_value)(const struct Case *);  // the same, once in a process that is still fresh
  const char *unit;                      // of `value`; nanoseconds if null
  long size;                             // for the case's own use
  int variant;                           // for the case's own use
  long ops;                              // operations in one repetition, of the whole team; 0: one
  bool per_thread;                       // every thread does `ops` operations
  bool nested;                           // opens regions inside regions
} Case;

typedef struct Plan {
  int threads;
  int samples;
  double target_s;  // length of a sample
  double budget_s;  // no new sample is begun after this time
  long repetitions;  // not 0: one sample of so many, with nothing before it
} Plan;

// One counter per OpenMP thread, each on a cache line of its own.
typedef struct Counter {
  _Alignas(LINE) int64_t n;
} Counter;

extern Counter counters[MAX_THREADS];
extern int team_size;  // W: main, before any case runs

extern const Case *const case_tables[];  // each program's own; the last entry is null

static inline double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// Keeps the optimiser from removing or folding a computation of `value`.
#define KEEP(value) __asm__ volatile("" : "+r"(value))

// A fact beside the time that goes into the JSON line under `name`.
void note(const char *name, double value);

void clear_counters(void);
int64_t sum_counters(void);
double checked(double seconds, bool correct);

int os_threads_now(void);
int os_threads_created(void);
int os_threads_peak(void);
void note_os_threads(void);  // any thread: raises the peak to the present number

// Runs the case by the plan and prints the JSON line; false if a result was wrong.
bool measure(const Case *c, const Plan *plan);

#endif
