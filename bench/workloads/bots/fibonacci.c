// SPDX-License-Identifier: Apache-2.0
// fib: a binary recursion with almost no work; tasks down to a depth, by the `final` clause and by an
// `if` in the program.
#include "tables.h"

enum { NUMBER = 27, VALUE = 196418, DEPTH = 10 };

static int result;

static int sequential(int n) { return n < 2 ? n : sequential(n - 1) + sequential(n - 2); }

static int by_final(int n, int depth) {
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a) final(depth >= DEPTH) mergeable
  a = by_final(n - 1, depth + 1);
#pragma omp task shared(b) final(depth >= DEPTH) mergeable
  b = by_final(n - 2, depth + 1);
#pragma omp taskwait
  return a + b;
}

static int by_hand(int n, int depth) {
  if (depth >= DEPTH) return sequential(n);
  if (n < 2) return n;
  int a, b;
#pragma omp task shared(a)
  a = by_hand(n - 1, depth + 1);
#pragma omp task shared(b)
  b = by_hand(n - 2, depth + 1);
#pragma omp taskwait
  return a + b;
}

static void work(const Case *c) {
  result = 0;
#pragma omp parallel
#pragma omp single
  result = c->variant ? by_hand(NUMBER, 0) : by_final(NUMBER, 0);
}

static bool check(const Case *c) {
  (void)c;
  return result == VALUE;
}

const Case fibonacci_cases[] = {
    {.name = "bots_fib_final", .work = work, .check = check, .variant = 0},
    {.name = "bots_fib_manual", .work = work, .check = check, .variant = 1},
    {0},
};
