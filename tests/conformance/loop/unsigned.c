// SPDX-License-Identifier: Apache-2.0
// 64-bit unsigned loops whose bounds lie above the signed range, in both directions and under every
// schedule: the sum modulo 2^64 and the number of iterations are right.
#include <limits.h>
#include <omp.h>
#include "expect.h"

typedef unsigned long long Wide;

#define CHECK_LOOP(schedule_, start, relation, stop, step)                              \
  do {                                                                                  \
    Wide sum = 0, count = 0, wanted = 0, wanted_count = 0;                              \
    for (Wide i = (start); i relation (stop); i += (step)) wanted += i, wanted_count++; \
    FOR(schedule_) for (Wide i = (start); i relation (stop); i += (step))               \
      sum += i, count++;                                                                \
    EXPECT(count == wanted_count, "%s: %llu of %llu", #schedule_, count, wanted_count);  \
    EXPECT(sum == wanted, "%s: sum %llu, not %llu", #schedule_, sum, wanted);            \
  } while (0)

#define FOR(schedule_) PRAGMA(omp parallel for reduction(+ : sum, count) schedule_)

#define CHECK_SCHEDULE(clause)                                                       \
  do {                                                                               \
    CHECK_LOOP(clause, ULLONG_MAX - 1000, <, ULLONG_MAX - 9, 7);                \
    CHECK_LOOP(clause, 1ULL << 63, <, (1ULL << 63) + 321, 1);                   \
    CHECK_LOOP(clause, LLONG_MAX - 50ULL, <, LLONG_MAX + 60ULL, 3);             \
    CHECK_LOOP(clause, 0, <, ULLONG_MAX - (1ULL << 60), 1ULL << 59);            \
    CHECK_LOOP(clause, 5, <, 5, 1);                                             \
    CHECK_DOWN(clause, ULLONG_MAX - 1, ULLONG_MAX - 700, 11);                   \
    CHECK_DOWN(clause, (1ULL << 63) + 100, (1ULL << 63) - 100, 3);              \
    CHECK_DOWN(clause, 1ULL << 63, 1ULL << 60, 1ULL << 58);                     \
  } while (0)

#define CHECK_DOWN(schedule_, start, stop, step)                                     \
  do {                                                                               \
    Wide sum = 0, count = 0, wanted = 0, wanted_count = 0;                           \
    for (Wide i = (start); i > (stop); i -= (step)) wanted += i, wanted_count++;     \
    FOR(schedule_) for (Wide i = (start); i > (stop); i -= (step))                   \
      sum += i, count++;                                                             \
    EXPECT(count == wanted_count, "%s: %llu of %llu", #schedule_, count, wanted_count); \
    EXPECT(sum == wanted, "%s: sum %llu, not %llu", #schedule_, sum, wanted);         \
  } while (0)

int main(void) {
  CHECK_SCHEDULE(schedule(static));
  CHECK_SCHEDULE(schedule(static, 5));
  CHECK_SCHEDULE(schedule(dynamic));
  CHECK_SCHEDULE(schedule(dynamic, 5));
  CHECK_SCHEDULE(schedule(monotonic: dynamic));
  CHECK_SCHEDULE(schedule(guided));
  CHECK_SCHEDULE(schedule(guided, 3));
  CHECK_SCHEDULE(schedule(monotonic: guided));
  CHECK_SCHEDULE(schedule(auto));
  CHECK_SCHEDULE(schedule(runtime));
  return 0;
}
