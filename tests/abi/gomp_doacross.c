// SPDX-License-Identifier: Apache-2.0
// Every doacross entry point of GCC's interface: a wavefront over a grid, where each cell waits for
// its left and upper neighbours and finds them done.
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "expect.h"

typedef unsigned long long ull;

#define EACH(F) F(static) F(dynamic) F(guided)
#define DECLARE(name)                                                                         \
  bool GOMP_loop_doacross_##name##_start(unsigned, long *, long, long *, long *);             \
  bool GOMP_loop_##name##_next(long *, long *);                                               \
  bool GOMP_loop_ull_doacross_##name##_start(unsigned, ull *, ull, ull *, ull *);             \
  bool GOMP_loop_ull_##name##_next(ull *, ull *);
EACH(DECLARE)
bool GOMP_loop_doacross_runtime_start(unsigned, long *, long *, long *);
bool GOMP_loop_runtime_next(long *, long *);
bool GOMP_loop_ull_doacross_runtime_start(unsigned, ull *, ull *, ull *);
bool GOMP_loop_ull_runtime_next(ull *, ull *);
bool GOMP_loop_doacross_start(unsigned, long *, long, long, long *, long *, uintptr_t *, void **);
bool GOMP_loop_ull_doacross_start(unsigned, ull *, long, ull, ull *, ull *, uintptr_t *, void **);
void GOMP_doacross_post(long *);
void GOMP_doacross_wait(long, ...);
void GOMP_doacross_ull_post(ull *);
void GOMP_doacross_ull_wait(ull, ...);
void GOMP_loop_end(void);

enum { ROWS = 40, COLUMNS = 9 };

static int cells[ROWS][COLUMNS];

static void wavefront(long row, bool is_ull) {
  for (long column = 0; column < COLUMNS; column++) {
    if (is_ull) {
      if (row > 0) GOMP_doacross_ull_wait((ull)row - 1, (ull)column);
      if (column > 0) GOMP_doacross_ull_wait((ull)row, (ull)column - 1);
    } else {
      if (row > 0) GOMP_doacross_wait(row - 1, column);
      if (column > 0) GOMP_doacross_wait(row, column - 1);
    }
    int up = row > 0 ? cells[row - 1][column] : 0, left = column > 0 ? cells[row][column - 1] : 0;
    EXPECT((row == 0 || up > 0) && (column == 0 || left > 0), "cell %ld,%ld too early", row, column);
    cells[row][column] = (up > left ? up : left) + 1;
    if (is_ull)
      GOMP_doacross_ull_post((ull[]){(ull)row, (ull)column});
    else
      GOMP_doacross_post((long[]){row, column});
  }
}

static void check(const char *name) {
#pragma omp single
  {
    for (int row = 0; row < ROWS; row++)
      for (int column = 0; column < COLUMNS; column++)
        EXPECT(cells[row][column] == row + column + 1, "%s: cell %d,%d", name, row, column);
    memset(cells, 0, sizeof cells);
  }
}

#define RUN(type, is_ull, next, start, ...)                                                   \
  {                                                                                           \
    type counts[2] = {ROWS, COLUMNS}, from, to;                                               \
    if (start(2, counts, __VA_ARGS__)) do                                                     \
        for (type row = from; row < to; row++) wavefront((long)row, is_ull);                  \
      while (next(&from, &to));                                                               \
    GOMP_loop_end();                                                                          \
    check(#start);                                                                            \
  }
#define NAMED(name)                                                                           \
  RUN(long, false, GOMP_loop_##name##_next, GOMP_loop_doacross_##name##_start, chunk, &from, &to) \
  RUN(ull, true, GOMP_loop_ull_##name##_next, GOMP_loop_ull_doacross_##name##_start, chunk,   \
      &from, &to)

static void all_loops(long chunk) {
  EACH(NAMED)
  RUN(long, false, GOMP_loop_runtime_next, GOMP_loop_doacross_runtime_start, &from, &to)
  RUN(ull, true, GOMP_loop_ull_runtime_next, GOMP_loop_ull_doacross_runtime_start, &from, &to)
  for (long kind = 0; kind <= 4; kind++) {
    RUN(long, false, GOMP_loop_runtime_next, GOMP_loop_doacross_start, kind, chunk, &from, &to,
        NULL, NULL)
    RUN(ull, true, GOMP_loop_ull_runtime_next, GOMP_loop_ull_doacross_start, kind, chunk, &from,
        &to, NULL, NULL)
  }
}

int main(void) {
  for (omp_sched_t kind = omp_sched_static; kind <= omp_sched_auto; kind++) {
    omp_set_schedule(kind, 2);
    for (long chunk = 1; chunk < 60; chunk += 6) {
#pragma omp parallel
      all_loops(chunk);
    }
  }
  return 0;
}
