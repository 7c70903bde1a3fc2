// SPDX-License-Identifier: Apache-2.0
// Loops of Clang's interface in all widths and schedules, called by name: each iteration is executed
// once, and one thread has the last one.
#include <string.h>

#include "expect.h"
#include "kmp_entry.h"

void call_body(int32_t *gtid, int32_t *number, void (*body)(void)) {
  (void)gtid, (void)number;
  body();
}

enum { kMost = 400 };

static int32_t schedule;
static int64_t lower, upper, step, chunk;
static int hits[kMost], lasts, beyond;

#define DECLARE(suffix, T, S)                                                                   \
  void __kmpc_dispatch_init_##suffix(ident *, int32_t, int32_t, T, T, S, S);                    \
  int32_t __kmpc_dispatch_next_##suffix(ident *, int32_t, int32_t *, T *, T *, S *);            \
  void __kmpc_dispatch_fini_##suffix(ident *, int32_t);                                         \
  void __kmpc_dist_dispatch_init_##suffix(ident *, int32_t, int32_t, int32_t *, T, T, S, S);    \
  void __kmpc_for_static_init_##suffix(ident *, int32_t, int32_t, int32_t *, T *, T *, S *, S,  \
                                       S);                                                      \
  void __kmpc_dist_for_static_init_##suffix(ident *, int32_t, int32_t, int32_t *, T *, T *,     \
                                            T *, S *, S, S);                                    \
  static void note_##suffix(T value) {                                                          \
    uint64_t index = ((uint64_t)(int64_t)value - (uint64_t)lower) / (uint64_t)step;             \
    if (step < 0) index = ((uint64_t)lower - (uint64_t)(int64_t)value) / (uint64_t)-step;       \
    if (index < kMost)                                                                          \
      __atomic_fetch_add(&hits[index], 1, __ATOMIC_SEQ_CST);                                    \
    else                                                                                        \
      __atomic_fetch_add(&beyond, 1, __ATOMIC_SEQ_CST);                                         \
  }                                                                                             \
  static void run_##suffix(T first, T end, int last) {                                          \
    int ended = 0;                                                                              \
    for (T i = first;; i = (T)(i + (T)step)) {                                                  \
      note_##suffix(i);                                                                         \
      ended = i == (T)upper;                                                                    \
      if (i == end) break;                                                                      \
    }                                                                                           \
    if (last) __atomic_fetch_add(&lasts, 1, __ATOMIC_SEQ_CST);                                  \
    EXPECT_EQ(last, ended);                                                                     \
  }                                                                                             \
  static void dispatch_##suffix(void) {                                                         \
    T first, end;                                                                               \
    S stride;                                                                                   \
    int32_t last = 0;                                                                           \
    __kmpc_dispatch_init_##suffix(NULL, 0, schedule, (T)lower, (T)upper, (S)step, (S)chunk);    \
    while (__kmpc_dispatch_next_##suffix(NULL, 0, &last, &first, &end, &stride))                \
      run_##suffix(first, end, last);                                                           \
    __kmpc_barrier(NULL, 0);                                                                    \
  }                                                                                             \
  static void distribute_##suffix(void) {                                                       \
    T first, end;                                                                               \
    S stride;                                                                                   \
    int32_t last = 0, team_last = 0;                                                            \
    __kmpc_dist_dispatch_init_##suffix(NULL, 0, schedule, &team_last, (T)lower, (T)upper,       \
                                       (S)step, (S)chunk);                                      \
    EXPECT_EQ(team_last, 1);                                                                    \
    while (__kmpc_dispatch_next_##suffix(NULL, 0, &last, &first, &end, &stride))                \
      run_##suffix(first, end, last);                                                           \
    __kmpc_barrier(NULL, 0);                                                                    \
  }                                                                                             \
  static void both_static_##suffix(void) {                                                      \
    T first = (T)lower, end = (T)upper, team_end;                                               \
    S stride;                                                                                   \
    int32_t last = 0;                                                                           \
    __kmpc_dist_for_static_init_##suffix(NULL, 0, 34, &last, &first, &end, &team_end, &stride,  \
                                         (S)step, 1);                                           \
    EXPECT_EQ((int64_t)team_end, (int64_t)(T)upper);                                            \
    if (step > 0 ? first <= end : first >= end) run_##suffix(first, end, last);                 \
    __kmpc_barrier(NULL, 0);                                                                    \
  }

DECLARE(4, int32_t, int32_t)
DECLARE(4u, uint32_t, int32_t)
DECLARE(8, int64_t, int64_t)
DECLARE(8u, uint64_t, int64_t)

static void check(const char *what, void (*body)(void), int64_t from, int trips, int64_t by) {
  memset(hits, 0, sizeof hits);
  lasts = beyond = 0;
  lower = from;
  step = by;
  upper = from + (trips - 1) * by;
  run_in_region(omp_get_max_threads(), body);
  EXPECT(beyond == 0, "%s: iterations beyond the loop", what);
  for (int i = 0; i < kMost; i++)
    EXPECT(hits[i] == (i < trips), "%s, schedule %d: iteration %d ran %d times", what,
           schedule & 0xff, i, hits[i]);
  EXPECT(lasts == 1, "%s: %d threads had the last iteration", what, lasts);
}

#define CHECK_ALL(suffix, from, by)                                        \
  do {                                                                     \
    check("dispatch " #suffix, dispatch_##suffix, from, 1, by);            \
    check("dispatch " #suffix, dispatch_##suffix, from, 3, by);            \
    check("dispatch " #suffix, dispatch_##suffix, from, 397, by);          \
    check("dist_dispatch " #suffix, distribute_##suffix, from, 200, by);   \
    check("dist static " #suffix, both_static_##suffix, from, 1, by);      \
    check("dist static " #suffix, both_static_##suffix, from, 399, by);    \
  } while (0)

int main(void) {
  omp_set_dynamic(0);
  static const int32_t kinds[] = {33, 34, 35, 36, 37, 38, 39, 40, 41, 45, 46, 47, 65, 66, 67, 68, 70};
  static const int32_t modifiers[] = {0, 1 << 29, 1 << 30};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    for (size_t m = 0; m < 3; m++) {
      schedule = kinds[k] | modifiers[m];
      for (chunk = 1; chunk < 60; chunk = chunk * 4 + 3) {
        CHECK_ALL(4, -100, 3);
        CHECK_ALL(4u, 7, 2);
        CHECK_ALL(8, INT64_C(5000000000), -11);
        CHECK_ALL(8u, INT64_C(9000000000), 1);
      }
    }
  }
  return 0;
}
