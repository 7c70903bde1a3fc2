// SPDX-License-Identifier: Apache-2.0
// task_reduction on taskgroup with in_reduction in tasks, nested tasks and nested groups, on
// scalars, arrays and several operators (OpenMP 5.2 §5.5.6).
#include <omp.h>
#include "expect.h"

static long walk(int depth) { return depth == 0 ? 1 : 1 + 2 * walk(depth - 1); }

static long total;

static void visit(int depth) {
#pragma omp task in_reduction(+ : total) firstprivate(depth)
  {
    total += 1;
    if (depth > 0) {
      visit(depth - 1);
      visit(depth - 1);
    }
  }
}

static void check_group(void) {
  long sum = 100;
  int lowest = 500, flags = 0, bins[5] = {1, 1, 1, 1, 1};
#pragma omp taskgroup task_reduction(+ : sum, bins) task_reduction(min : lowest) task_reduction(| : flags)
  {
    for (int i = 0; i < 50; i++) {
#pragma omp task in_reduction(+ : sum, bins) in_reduction(min : lowest) in_reduction(| : flags)
      {
        sum += i;
        bins[i % 5] += 2;
        if (300 - i < lowest) lowest = 300 - i;
        flags |= 1 << i % 7;
      }
    }
  }
  EXPECT_EQ(sum, 100 + 1225);
  for (int b = 0; b < 5; b++) EXPECT_EQ(bins[b], 21);
  EXPECT_EQ(lowest, 251);
  EXPECT_EQ(flags, 127);
}

static void check_nested(void) {
  total = 0;
#pragma omp taskgroup task_reduction(+ : total)
  {
    visit(5);
#pragma omp task in_reduction(+ : total)
    {
      long inner = 0;
#pragma omp taskgroup task_reduction(+ : inner)
      for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : inner)
        inner += i;
      }
      total += inner;
    }
  }
  EXPECT_EQ(total, walk(5) + 45);
}

static void check_sections(int length) {
  long cells[length];
  for (int i = 0; i < length; i++) cells[i] = i;
#pragma omp taskgroup task_reduction(+ : cells[1 : length - 2])
  for (int i = 0; i < 100; i++) {
#pragma omp task in_reduction(+ : cells[1 : length - 2])
    cells[1 + i % (length - 2)] += 1000;
  }
  long sum = 0;
  for (int i = 0; i < length; i++) sum += cells[i] - i;
  EXPECT_EQ(sum, 100000);
  EXPECT_EQ(cells[0], 0);
  EXPECT_EQ(cells[length - 1], length - 1);
}

int main(void) {
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
#pragma omp single
    {
      check_group();
      check_nested();
      check_sections(12);
    }
  }
  check_group();
  return 0;
}
