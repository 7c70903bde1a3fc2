// SPDX-License-Identifier: Apache-2.0
// Bounds at the ends of int and long, very long strides, zero and single trips: each iteration runs once and no other does.
#include <limits.h>
#include <omp.h>
#include "expect.h"

#define CHECK(type, clause, start, test, step_expression, wanted_count, wanted_last)        \
  do {                                                                                      \
    long count = 0;                                                                         \
    type last = 0;                                                                          \
    _Pragma("omp parallel") {                                                               \
      _Pragma(clause) for (type i = (start); i test; i += (step_expression)) {              \
        count++;                                                                            \
        last = i;                                                                           \
      }                                                                                     \
    }                                                                                       \
    EXPECT(count == (wanted_count), "%s from %lld: %ld trips, not %lld", clause,            \
           (long long)(start), count, (long long)(wanted_count));                           \
    EXPECT(count == 0 || last == (wanted_last), "%s from %lld: last is %lld", clause,       \
           (long long)(start), (long long)last);                                            \
  } while (0)

#define SWEEP(clause)                                                                        \
  do {                                                                                       \
    CHECK(int, clause, INT_MAX - 13, < INT_MAX - 3, 3, 4, INT_MAX - 4);                      \
    CHECK(int, clause, INT_MAX - 4, < INT_MAX, 1, 4, INT_MAX - 1);                           \
    CHECK(int, clause, -(1 << 29), < (1 << 29), 1 << 28, 4, 1 << 28);                        \
    CHECK(int, clause, 1 << 29, > -(1 << 29), -(1 << 28), 4, -(1 << 28));                    \
    CHECK(int, clause, INT_MIN, < INT_MIN + 9, 1, 9, INT_MIN + 8);                           \
    CHECK(int, clause, INT_MIN + 12, > INT_MIN + 2, -2, 5, INT_MIN + 4);                     \
    CHECK(int, clause, INT_MAX, > INT_MAX - 8, -3, 3, INT_MAX - 6);                          \
    CHECK(int, clause, 7, < 7, 1, 0, 0);                                                     \
    CHECK(int, clause, 9, < 7, 1, 0, 0);                                                     \
    CHECK(int, clause, 7, > 9, -1, 0, 0);                                                    \
    CHECK(int, clause, 7, <= 7, 5, 1, 7);                                                    \
    CHECK(int, clause, 0, < 10, INT_MAX / 2, 1, 0);                                          \
    CHECK(long, clause, LONG_MAX - 20, < LONG_MAX - 7, 6, 3, LONG_MAX - 8);                  \
    CHECK(long, clause, LONG_MIN, < LONG_MIN + 5, 1, 5, LONG_MIN + 4);                       \
    CHECK(long, clause, LONG_MIN + 40, > LONG_MIN + 8, -7, 5, LONG_MIN + 12);                \
    CHECK(long, clause, -(1L << 61), < (1L << 61), 1L << 59, 8, 3L << 59);                   \
    CHECK(long, clause, 1L << 61, > -(1L << 61), -(1L << 59), 8, -(3L << 59));               \
    CHECK(long, clause, LONG_MIN / 2, < LONG_MIN / 2, 1, 0, 0);                              \
    CHECK(unsigned, clause, UINT_MAX - 13, < UINT_MAX - 3, 3, 4, UINT_MAX - 4);              \
    CHECK(unsigned, clause, 0, < 3u << 30, 1u << 29, 6, 5u << 29);                           \
    CHECK(unsigned char, clause, 250, < 255, 1, 5, 254);                                     \
    CHECK(short, clause, -32768, < -32760, 3, 3, -32762);                                    \
  } while (0)

int main(void) {
  SWEEP("omp for reduction(+ : count) lastprivate(last) schedule(static)");
  SWEEP("omp for reduction(+ : count) lastprivate(last) schedule(static, 2)");
  SWEEP("omp for reduction(+ : count) lastprivate(last) schedule(dynamic)");
  SWEEP("omp for reduction(+ : count) lastprivate(last) schedule(dynamic, 3)");
  SWEEP("omp for reduction(+ : count) lastprivate(last) schedule(guided)");
  SWEEP("omp for reduction(+ : count) lastprivate(last) schedule(guided, 2)");
  SWEEP("omp for reduction(+ : count) lastprivate(last) schedule(runtime)");
  return 0;
}
