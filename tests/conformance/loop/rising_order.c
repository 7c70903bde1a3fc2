// SPDX-License-Identifier: Apache-2.0
// Each thread has the iterations of monotonic loops in rising order, and so it has those of sections, of doacross
// loops and, in programs built by GCC, of any dynamic or guided loop, as on libgomp. Iterations and sections that
// wait for the next ones end all the same, and lastprivate variables are those of the last one.
#include <omp.h>
#include <sched.h>
#include "expect.h"
#include "relax.h"

enum { rounds = 20, iterations = 3000 };

#ifdef __clang__
#define ANY(kind) monotonic : kind
#else
#define ANY(kind) kind
#endif

static int last_of[64], done;

static void begin(int iteration) {
  int self = omp_get_thread_num();
  EXPECT(last_of[self] < iteration, "%d after %d", iteration, last_of[self]);
  last_of[self] = iteration;
}

static void work(int amount) {
  for (volatile int i = 0; i < amount; i++) {
  }
}

#define LOOP(name, ...)                                                       \
  static void name(int n, int amount) {                                       \
    int last = -1, sum = 0;                                                   \
    for (int i = 0; i < n; i++) last_of[i] = -1;                              \
    _Pragma(#__VA_ARGS__) for (int i = 0; i < iterations; i++) {              \
      begin(i);                                                               \
      work(i % 64 == 0 ? amount : 0);                                         \
      last = i;                                                               \
      sum++;                                                                  \
    }                                                                         \
    EXPECT_EQ(last, iterations - 1);                                          \
    EXPECT_EQ(sum, iterations);                                               \
  }

LOOP(dynamic, omp parallel for num_threads(n) schedule(ANY(dynamic)) lastprivate(last) reduction(+ : sum))
LOOP(dynamic_7, omp parallel for num_threads(n) schedule(ANY(dynamic), 7) lastprivate(last) reduction(+ : sum))
LOOP(guided, omp parallel for num_threads(n) schedule(ANY(guided)) lastprivate(last) reduction(+ : sum))
LOOP(runtime, omp parallel for num_threads(n) schedule(ANY(runtime)) lastprivate(last) reduction(+ : sum))

static void doacross(int n) {
  for (int i = 0; i < n; i++) last_of[i] = -1;
#pragma omp parallel for num_threads(n) schedule(dynamic, 2) ordered(1)
  for (int i = 0; i < 200; i++) {
    begin(i);
#pragma omp ordered depend(sink : i - 1)
    done = i;
#pragma omp ordered depend(source)
  }
}

static void sections(int n) {
  for (int i = 0; i < n; i++) last_of[i] = 0;
#pragma omp parallel sections num_threads(n)
  {
    begin(1);
#pragma omp section
    begin(2);
#pragma omp section
    begin(3);
#pragma omp section
    begin(4);
#pragma omp section
    begin(5);
  }
}

// After many short ones, which come several at once, one waits for the one behind it.
static void wait_for_next(int n) {
  int flag = 0, last = -1, waits = iterations / 2;
#pragma omp parallel for num_threads(n) schedule(ANY(dynamic)) lastprivate(last)
  for (int i = 0; i < iterations; i++) {
    if (i % 64 == 0) work(i < waits ? 0 : 100);
    if (i == waits)
      while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) sched_yield();
    if (i == waits + 1) __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    last = i;
  }
  EXPECT_EQ(last, iterations - 1);
}

// Tasks in sections that wait for each other, where there is a thread for each.
static void meet_in_sections(void) {
  int met = 0;
#define MEET                                                                          \
  _Pragma("omp task shared(met) if (0)") {                                            \
    __atomic_add_fetch(&met, 1, __ATOMIC_ACQ_REL);                                    \
    while (__atomic_load_n(&met, __ATOMIC_ACQUIRE) < 3) relax();                      \
  }
#pragma omp parallel sections num_threads(3)
  {
    MEET
#pragma omp section
    MEET
#pragma omp section
    MEET
  }
  EXPECT_EQ(met, 3);
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_schedule(omp_sched_dynamic | omp_sched_monotonic, 1);
  int n = omp_get_max_threads();
  for (int round = 0; round < rounds; round++) {
    int amount = round % 4 * 300;
    dynamic(n, amount);
    dynamic_7(n, amount);
    guided(n, amount);
    runtime(n, amount);
    doacross(n);
    sections(n);
  }
  for (int round = 0; n > 1 && round < 5; round++) wait_for_next(n);
  for (int round = 0; n > 2 && round < 10; round++) meet_in_sections();
  return 0;
}
