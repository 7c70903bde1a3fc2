// SPDX-License-Identifier: Apache-2.0
// Recursion in which each task waits for a sibling that goes one level deeper: an undeferred task, or a
// taskwait, that depends on it. What is waited for is called on top, so that no level takes a stack of its own.
#include "expect.h"

enum { kLevels = 60000 };

static long count;

static void one(void) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); }

static void undeferred(int levels) {
  char x = 0;
  (void)x;
  if (levels == 0) return;
#pragma omp task depend(out : x)
  undeferred(levels - 1);
#pragma omp task if (0) depend(in : x)
  one();
}

static void waits(int levels) {
  char x = 0, y = 0;
  (void)x, (void)y;
  if (levels == 0) return;
#pragma omp task depend(out : x)
  waits(levels - 1);
#pragma omp task depend(inout : x) depend(out : y)
  one();
#pragma omp taskwait depend(in : y)
}

static void check(void (*recurse)(int)) {
  count = 0;
#pragma omp parallel
#pragma omp single
  recurse(kLevels);
  EXPECT_EQ(count, kLevels);
}

int main(void) {
  check(undeferred);
  check(waits);
  return 0;
}
