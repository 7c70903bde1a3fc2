// SPDX-License-Identifier: Apache-2.0
// The simd schedules of Clang's interface (45 to 47), called by name: chunks begin and end with vectors, all
// but the last one, and the stride is told.
#include <string.h>

#include "expect.h"
#include "kmp_entry.h"

void __kmpc_dispatch_init_4(ident *, int32_t, int32_t, int32_t, int32_t, int32_t, int32_t);
int32_t __kmpc_dispatch_next_4(ident *, int32_t, int32_t *, int32_t *, int32_t *, int32_t *);
void __kmpc_dispatch_init_8(ident *, int32_t, int32_t, int64_t, int64_t, int64_t, int64_t);
int32_t __kmpc_dispatch_next_8(ident *, int32_t, int32_t *, int64_t *, int64_t *, int64_t *);

void call_body(int32_t *gtid, int32_t *number, void (*body)(void)) {
  (void)gtid, (void)number;
  body();
}

enum { kTrips = 1003, kVector = 8, kBalanced = 45, kGuided = 46, kRuntime = 47 };

static int schedule, step, hits[kTrips], chunks, shortest, longest;
static const int kFirst = -50;

static void note(int from, int to) {
  EXPECT((to - from + 1) % kVector == 0 || to == kTrips - 1, "schedule %d: %d to %d", schedule, from, to);
  EXPECT_EQ(from % kVector, 0);
  for (int i = from; i <= to; i++) __atomic_fetch_add(&hits[i], 1, __ATOMIC_SEQ_CST);
#pragma omp critical
  {
    chunks++;
    if (to != kTrips - 1 && to - from + 1 < shortest) shortest = to - from + 1;
    if (to - from + 1 > longest) longest = to - from + 1;
  }
}

static void narrow(void) {
  int32_t gtid = __kmpc_global_thread_num(NULL), last, lower, upper, stride = 99;
  __kmpc_dispatch_init_4(NULL, gtid, schedule, kFirst, kFirst + (kTrips - 1) * step, step, kVector);
  while (__kmpc_dispatch_next_4(NULL, gtid, &last, &lower, &upper, &stride)) {
    EXPECT_EQ(stride, step);
    EXPECT_EQ(last, upper == kFirst + (kTrips - 1) * step);
    note((lower - kFirst) / step, (upper - kFirst) / step);
  }
  __kmpc_barrier(NULL, gtid);
}

static void wide(void) {
  int32_t gtid = __kmpc_global_thread_num(NULL), last;
  int64_t lower, upper, stride = 99;
  __kmpc_dispatch_init_8(NULL, gtid, schedule, kFirst, kFirst + (int64_t)(kTrips - 1) * step, step,
                         kVector);
  while (__kmpc_dispatch_next_8(NULL, gtid, &last, &lower, &upper, &stride)) {
    EXPECT_EQ(stride, step);
    note((int)((lower - kFirst) / step), (int)((upper - kFirst) / step));
  }
  __kmpc_barrier(NULL, gtid);
}

// `fewest`: trips of a chunk, apart from the last one's; 0: a block for each thread.
static void check(int which, int fewest) {
  int threads = omp_get_max_threads();
  schedule = which;
  for (step = -3; step <= 3; step += 2) {
    memset(hits, 0, sizeof hits);
    chunks = longest = 0;
    shortest = kTrips;
    run_in_region(threads, step > 0 ? narrow : wide);
    for (int i = 0; i < kTrips; i++) EXPECT(hits[i] == 1, "iteration %d ran %d times", i, hits[i]);
    if (fewest == 0)
      EXPECT(chunks <= threads, "%d chunks for %d threads", chunks, threads);
    else if (threads > 1)
      EXPECT(shortest >= fewest, "schedule %d: %d trips in a chunk", which, shortest);
  }
}

int main(void) {
  omp_set_dynamic(0);
  check(kBalanced, 0);
  check(kGuided, kVector);
  omp_set_schedule(omp_sched_static, 0);
  check(kRuntime, 0);
  omp_set_schedule(omp_sched_auto, 0);
  check(kRuntime, 0);
  omp_set_schedule(omp_sched_static, 2);
  check(kRuntime, 2 * kVector);
  omp_set_schedule(omp_sched_dynamic, 3);
  check(kRuntime, 3 * kVector);
  omp_set_schedule(omp_sched_guided, 2);
  check(kRuntime, 2 * kVector);
  if (omp_get_max_threads() > 1) EXPECT(longest > 2 * kVector, "guided: %d trips at most", longest);
  return 0;
}
