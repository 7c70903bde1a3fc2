// SPDX-License-Identifier: Apache-2.0
// Tasks that make a task each and wait for it, 200,000 levels deep, at a taskwait, untied, and at the end
// of a taskgroup: no stack overflows, the second time as the first.
#include <omp.h>
#include "expect.h"

enum { kLevels = 200000 };

static int made;

static void at_taskwait(int levels) {
  __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
  if (levels == 1) return;
#pragma omp task
  at_taskwait(levels - 1);
#pragma omp taskwait
}

static void untied(int levels) {
  __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
  if (levels == 1) return;
#pragma omp task untied
  untied(levels - 1);
#pragma omp taskwait
}

static void at_group(int levels) {
  __atomic_fetch_add(&made, 1, __ATOMIC_RELAXED);
  if (levels == 1) return;
#pragma omp taskgroup
  {
#pragma omp task
    at_group(levels - 1);
  }
}

static void check(void (*descend)(int)) {
  made = 0;
#pragma omp parallel
#pragma omp single
  for (int round = 1; round <= 2; round++) {
    descend(kLevels);
    EXPECT_EQ(made, round * kLevels);
  }
}

int main(void) {
  check(at_taskwait);
  check(untied);
  check(at_group);
  return 0;
}
