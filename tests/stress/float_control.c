// SPDX-License-Identifier: Apache-2.0
// Rounding belongs to the thread: a member begins with that of the encountering thread, a task with that
// of the task that made it, and each keeps its own over every wait, whatever others change meanwhile.
#include <fenv.h>
#include <omp.h>

#include "expect.h"

enum { kRounds = 20 };

static const int modes[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};

static int mode_of(int number) { return modes[number % 4]; }

// The x87 unit's control word says what fegetround() returns, the SSE unit's what a division does.
static int mode_in_force(void) {
  volatile double one = 1, three = 3;
  volatile double third = one / three, minus = -one / three;
  int up = third > 0.33333333333333331, less = minus < -0.33333333333333331;
  int sse = up && !less ? FE_UPWARD : !up && less ? FE_DOWNWARD : FE_TONEAREST;
  int x87 = fegetround();
  if (sse == FE_TONEAREST && x87 == FE_TOWARDZERO) return x87;  // the same for this division
  return x87 == sse ? sse : -1;
}

static void expect_mode(int mode, const char *where) {
  EXPECT(mode_in_force() == mode, "rounding of thread %d of level %d is %x, not %x: %s",
         omp_get_thread_num(), omp_get_level(), (unsigned)mode_in_force(), (unsigned)mode, where);
}

static void wait_in_many_ways(int own) {
#pragma omp barrier
  expect_mode(own, "after a barrier");
#pragma omp critical
  expect_mode(own, "in a critical section");
#pragma omp taskyield
  expect_mode(own, "after taskyield");
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < omp_get_num_threads(); i++) {
#pragma omp ordered
    expect_mode(own, "in an ordered region");
  }
  expect_mode(own, "after a loop");
}

static void change_and_wait(int number) {
  int own = mode_of(number);
  fesetround(own);
  wait_in_many_ways(own);
}

// Each child leaves another rounding behind where it ran.
static void make_tasks(int number, int depth) {
  int own = mode_of(number + depth);
  fesetround(own);
  for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
    {
      expect_mode(own, "at the begin of a task");
      if (depth > 0) make_tasks(number + i, depth - 1);
      fesetround(mode_of(number + i + 1));
#pragma omp taskyield
      expect_mode(mode_of(number + i + 1), "in a task after taskyield");
    }
  }
#pragma omp taskwait
  expect_mode(own, "after taskwait");
}

static void in_order(int number) {
  static char cell[64];
  int own = mode_of(number);
  fesetround(own);
  char *at = &cell[number % 64];
  for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : *at)
    {
      expect_mode(own, "at the begin of a task with dependences");
      fesetround(mode_of(number + 1));
    }
  }
#pragma omp taskwait
  expect_mode(own, "after tasks with dependences");
}

static void check_region(int begin) {
  fesetround(begin);
#pragma omp parallel
  {
    expect_mode(begin, "at the begin of a region");
    change_and_wait(omp_get_thread_num());
    make_tasks(omp_get_thread_num(), 2);
    wait_in_many_ways(mode_of(omp_get_thread_num() + 2));
    in_order(omp_get_thread_num());
#pragma omp barrier
    expect_mode(mode_of(omp_get_thread_num()), "after all tasks");
    if (omp_get_thread_num() == 0) fesetround(begin);
  }
  expect_mode(begin, "after a region");
}

static void check_nested(int begin) {
  fesetround(begin);
#pragma omp parallel
  {
    int own = mode_of(omp_get_thread_num());
    fesetround(own);
#pragma omp parallel num_threads(3)
    {
      expect_mode(own, "at the begin of a nested region");
      if (omp_get_thread_num() != 0) fesetround(mode_of(omp_get_thread_num()));
#pragma omp barrier
      expect_mode(omp_get_thread_num() != 0 ? mode_of(omp_get_thread_num()) : own, "in a nested region");
    }
    expect_mode(own, "after a nested region");
#pragma omp barrier
    expect_mode(own, "after a nested region and a barrier");
    if (omp_get_thread_num() == 0) fesetround(begin);
  }
  expect_mode(begin, "after a region with regions");
}

// No member has a reason to wait: they may run one after the other on one stack.
static void check_calls(int begin) {
  fesetround(begin);
#pragma omp parallel
  {
    expect_mode(begin, "at the begin of a region without waits");
    if (omp_get_thread_num() != 0) fesetround(mode_of(omp_get_thread_num()));
  }
  expect_mode(begin, "after a region without waits");
}

// What member 0 leaves in force: libgomp's encountering thread goes on with it, libomp's with its own.
static void check_end(int begin, int threads) {
  fesetround(begin);
  int other = begin == FE_UPWARD ? FE_DOWNWARD : FE_UPWARD;
#pragma omp parallel num_threads(threads) if (threads > 1)
  if (omp_get_thread_num() == 0) fesetround(other);
#ifdef __clang__
  other = begin;
#endif
  expect_mode(other, "after a region whose member 0 changed it");
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int round = 0; round < kRounds; round++) {
    check_region(mode_of(round));
    check_calls(mode_of(round));
    check_end(mode_of(round), 1);
    check_end(mode_of(round), omp_get_max_threads());
    check_nested(mode_of(round));
  }
  return 0;
}
