// SPDX-License-Identifier: Apache-2.0
// Cut-offs at a limit: one producer makes three million tasks and memory stays bounded; tasks that make
// tasks reach the limit as well.
#include <omp.h>
#include <sys/resource.h>
#include "expect.h"

enum { kTasks = 3000000, kMostKilobytes = 64 * 1024 };

static long count;

static void one(void) { __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED); }

static void check_flood(void) {
  count = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
#pragma omp task
    one();
  }
  EXPECT_EQ(count, kTasks);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  EXPECT(usage.ru_maxrss <= kMostKilobytes, "%ld kB", usage.ru_maxrss);
}

static void walk(int depth) {
  one();
  if (depth == 0) return;
  for (int i = 0; i < 4; i++) {
#pragma omp task
    walk(depth - 1);
  }
}

static void check_tree(void) {
  count = 0;
#pragma omp parallel
#pragma omp single
  walk(7);
  EXPECT_EQ(count, 21845);
}

int main(void) {
  check_tree();
  check_flood();
  return 0;
}
