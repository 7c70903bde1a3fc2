// SPDX-License-Identifier: Apache-2.0
// ordered regions run in iteration order under each schedule, also where some iterations have none
// and where the region is in an orphaned function (OpenMP 5.2 §15.10.2).
#include <omp.h>
#include "expect.h"

enum { trips = 300 };

static int next;
static long long wide_next;

static void enter_ordered(int i) {
#pragma omp ordered
  {
    EXPECT(next < i, "iteration %d after %d", i, next);
    next = i;
  }
}

#define CHECK_ALL(clause)                                                    \
  do {                                                                       \
    int expected = 0;                                                        \
    _Pragma(clause) for (int i = 0; i < trips; i++) {                        \
      volatile int work = 0;                                                 \
      while (work < i % 7 * 50) work++;                                      \
      _Pragma("omp ordered") {                                               \
        EXPECT_EQ(expected, i);                                              \
        expected = i + 1;                                                    \
      }                                                                      \
    }                                                                        \
    EXPECT_EQ(expected, trips);                                              \
    next = -1;                                                               \
    _Pragma(clause) for (int i = 0; i < trips; i++) if (i % 3) enter_ordered(i); \
    EXPECT_EQ(next, trips - 1);                                              \
    wide_next = trips;                                                       \
    _Pragma(clause) for (unsigned long long i = trips; i > 0; i--) {         \
      _Pragma("omp ordered") {                                               \
        EXPECT_EQ(wide_next, i);                                             \
        wide_next--;                                                         \
      }                                                                      \
    }                                                                        \
    EXPECT_EQ(wide_next, 0);                                                 \
  } while (0)

int main(void) {
  CHECK_ALL("omp parallel for ordered");
  CHECK_ALL("omp parallel for ordered schedule(static, 1)");
  CHECK_ALL("omp parallel for ordered schedule(static, 4)");
  CHECK_ALL("omp parallel for ordered schedule(dynamic)");
  CHECK_ALL("omp parallel for ordered schedule(dynamic, 3)");
  CHECK_ALL("omp parallel for ordered schedule(guided)");
  CHECK_ALL("omp parallel for ordered schedule(runtime)");
  CHECK_ALL("omp parallel for ordered schedule(auto)");
  int sum = 0;
#pragma omp parallel for ordered schedule(dynamic) lastprivate(sum)
  for (int i = 0; i < 0; i++) {
#pragma omp ordered
    sum++;
  }
  return 0;
}
