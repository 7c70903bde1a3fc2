// SPDX-License-Identifier: Apache-2.0
// How long constructs take on one thread, one line each: `NAME NANOSECONDS`, the least of many rounds, short
// ones: some find the core to themselves.
#include <omp.h>
#include <stdio.h>
#include <time.h>

enum { kRounds = 200, kTimes = 2000, kWords = 32 };

static volatile int sink;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// What tells a slow machine from slow callbacks: how long one thing takes after the other,
static void atomic(void) {
  static int word;
  for (int i = 0; i < kTimes; ++i) __atomic_fetch_add(&word, 1, __ATOMIC_SEQ_CST);
}

// and how long many things take that do not wait for each other, in a function that is called as callbacks are.
static void many(long *words, long a) {
  long b = a, c = a, d = a;
  for (int k = 0; k < kWords; k += 4) {
    a += 1, b += 2, c ^= 3, d -= 4;
    __asm__ volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
    words[k] = a, words[k + 1] = b, words[k + 2] = c, words[k + 3] = d;
    __asm__ volatile("" ::: "memory");
  }
}
static void (*volatile called)(long *, long) = many;

static void work(void) {
  static long words[kWords];
  for (int i = 0; i < kTimes; ++i) called(words, i);
}

static void lock(void) {
  static omp_lock_t simple;
  static int made;
  if (!made++) omp_init_lock(&simple);
  for (int i = 0; i < kTimes; ++i) {
    omp_set_lock(&simple);
    omp_unset_lock(&simple);
  }
}

static void critical(void) {
  for (int i = 0; i < kTimes; ++i) {
#pragma omp critical
    sink = i;
  }
}

static void barrier(void) {
#pragma omp parallel num_threads(1)
  for (int i = 0; i < kTimes; ++i) {
#pragma omp barrier
  }
}

// Of one chunk.
static void loop(void) {
#pragma omp parallel num_threads(1)
  for (int i = 0; i < kTimes; ++i) {
#pragma omp for schedule(dynamic) nowait
    for (int j = 0; j < 1; ++j) sink = j;
  }
}

static void ordered(void) {
#pragma omp parallel for num_threads(1) ordered schedule(dynamic)
  for (int i = 0; i < kTimes; ++i) {
#pragma omp ordered
    sink = i;
  }
}

static void region(void) {
  for (int i = 0; i < kTimes; ++i) {
#pragma omp parallel num_threads(1)
    sink = i;
  }
}

static void task(void) {
#pragma omp parallel num_threads(1)
  for (int i = 0; i < kTimes; ++i) {
#pragma omp task
    sink = 1;
  }
}

static void measure(const char *name, void (*construct)(void)) {
  double least = 1e30;
  for (int round = 0; round < kRounds; ++round) {
    const double begin = now();
    construct();
    const double took = (now() - begin) / kTimes;
    if (took < least) least = took;
  }
  printf("%s %.2f\n", name, least);
}

int main(void) {
  measure("atomic", atomic);
  measure("work", work);
  measure("lock", lock);
  measure("critical", critical);
  measure("barrier", barrier);
  measure("loop", loop);
  measure("ordered", ordered);
  measure("region", region);
  measure("task", task);
  return 0;
}
