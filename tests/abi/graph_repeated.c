// SPDX-License-Identifier: Apache-2.0
// A program that repeats its graphs and says nothing of it (TULLE_TASK_GRAPH): the same, with other data, in other
// places, longer, shorter, otherwise from the middle on, and with clauses of all kinds.
// usage: graph_repeated THREADS; prints how many tasks were replayed, if any.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"
#include "tulle/graph.h"

enum { SIDE = 12, TIMES = 10, ROOM = 3 * (SIDE + 1) * (SIDE + 1) };

static int threads;
static unsigned room[ROOM], expected[SIDE + 1][SIDE + 1];

// Long enough to be kept.
static void work(void) {
  for (volatile int i = 0; i < 1500; i++) {
  }
}

static void fill(unsigned (*grid)[SIDE + 1], unsigned seed, int side, int other_from) {
  for (int i = 0; i <= SIDE; i++)
    for (int j = 0; j <= SIDE; j++) grid[i][j] = expected[i][j] = i == 0 || j == 0 ? seed + (unsigned)(i + j) : 0;
  for (int i = 1; i <= side; i++)
    for (int j = 1; j <= side; j++)
      expected[i][j] = i < other_from ? 3 * expected[i - 1][j] + expected[i][j - 1]
                                      : expected[i - 1][j] + 5 * expected[i - 1][j - 1];
}

static void wavefront(unsigned (*grid)[SIDE + 1], int side, int other_from) {
  for (int i = 1; i <= side; i++)
    for (int j = 1; j <= side; j++) {
      if (i < other_from) {
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j])
        {
          work();
          grid[i][j] = 3 * grid[i - 1][j] + grid[i][j - 1];
        }
      } else {
#pragma omp task depend(in : grid[i - 1][j], grid[i - 1][j - 1]) depend(out : grid[i][j])
        {
          work();
          grid[i][j] = grid[i - 1][j] + 5 * grid[i - 1][j - 1];
        }
      }
    }
}

static void check(unsigned (*grid)[SIDE + 1]) {
  for (int i = 0; i <= SIDE; i++)
    for (int j = 0; j <= SIDE; j++) EXPECT_EQ(grid[i][j], expected[i][j]);
}

static void shapes(void) {
  for (int r = 0; r < 6 * TIMES; r++) {
    int kind = r / TIMES;
    size_t at = kind == 1 ? (size_t)r % 3 * (SIDE + 1) * (SIDE + 1) : kind == 2 ? (size_t)r * 3 : 0;
    unsigned(*grid)[SIDE + 1] = (unsigned(*)[SIDE + 1])(room + at);
    int side = kind == 3 ? SIDE - r % 2 : SIDE, other = kind == 4 ? 1 + r % SIDE : kind == 5 ? 5 : SIDE + 1;
    fill(grid, (unsigned)r, side, other);
#pragma omp parallel num_threads(threads)
#pragma omp single
    wavefront(grid, side, other);
    check(grid);
  }
}

// Phases that end at a taskwait, and at the barrier of a region that goes on.
static void waits(void) {
  unsigned(*grid)[SIDE + 1] = (unsigned(*)[SIDE + 1])room;
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int r = 0; r < TIMES; r++) {
    fill(grid, (unsigned)r, SIDE, SIDE + 1);
    wavefront(grid, SIDE, SIDE + 1);
#pragma omp taskwait
    check(grid);
  }
#pragma omp parallel num_threads(threads)
  for (int r = 0; r < TIMES; r++) {
#pragma omp single
    {
      fill(grid, (unsigned)r, SIDE, SIDE + 1);
      wavefront(grid, SIDE, SIDE + 1);
    }
#pragma omp single
    check(grid);
  }
}

// The same code with addresses that are one in some repetitions and two in others.
static void aliases(void) {
  static int cells[8];
  for (int r = 0; r < 4 * TIMES; r++) {
    int *a = &cells[0], *b = r % 5 == 4 ? a : &cells[r % 3 + 1];
    *a = *b = 1;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int i = 0; i < 6; i++) {
#pragma omp task firstprivate(a) depend(inout : a[0])
      {
        work();
        *a = 2 * *a + 1;
      }
#pragma omp task firstprivate(b) depend(inout : b[0])
      {
        work();
        *b = 3 * *b;
      }
    }
    int x = 1, y = 1;
    for (int i = 0; i < 6; i++) {
      x = 2 * x + 1;
      if (a == b) x = 3 * x;
      y = 3 * y;
    }
    EXPECT_EQ(*a, x);
    if (a != b) EXPECT_EQ(*b, y);
  }
}

static void clauses(void) {
  static int sum, set, log[4], nested[8], ends;
  static omp_depend_t object;
#pragma omp depobj(object) depend(inout : sum)
  for (int r = 0; r < 2 * TIMES; r++) {
    sum = set = ends = 0;
    for (int i = 0; i < 8; i++) nested[i] = 0;
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp task detach(event) depend(out : log[0]) firstprivate(r)
      {
        work();
        log[0] = r;
      }
#pragma omp task depend(in : log[0]) priority(5)
      {
        work();
        log[1] = log[0] + 1;
      }
      omp_fulfill_event(event);
      for (int i = 0; i < 8; i++) {
#pragma omp task depend(mutexinoutset : set) untied
        {
          work();
          set = set + 1;
        }
      }
#pragma omp task depend(in : set) final(1)
      {
        work();
        log[2] = set;
      }
      for (int i = 1; i <= 6; i++) {
#pragma omp task depend(depobj : object) firstprivate(i)
        {
          work();
          sum = 3 * sum + i;
        }
      }
      for (int i = 0; i < 8; i++) {
#pragma omp task depend(iterator(k = 0 : 2), inout : nested[(i + k) % 8]) firstprivate(i)
        {
          int part = 0;
#pragma omp task shared(part) depend(out : part)
          {
            work();
            part = 1;
          }
#pragma omp task shared(part) depend(inout : part)
          part = 2 * part;
#pragma omp taskwait
          nested[i] += part;
        }
      }
#pragma omp taskgroup task_reduction(+ : ends)
      {
        for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : ends) depend(in : log[0])
          {
            work();
            ends += 1;
          }
        }
#pragma omp taskloop nogroup
        for (int i = 0; i < 4; i++) work();
      }
    }
    EXPECT_EQ(log[1], r + 1);
    EXPECT_EQ(log[2], 8);
    EXPECT_EQ(ends, 4);
    for (int i = 0; i < 8; i++) EXPECT_EQ(nested[i], 2);
    int wanted = 0;
    for (int i = 1; i <= 6; i++) wanted = 3 * wanted + i;
    EXPECT_EQ(sum, wanted);
  }
#pragma omp depobj(object) destroy
}

// The creating task waits for some of them: no pass goes over that.
static void waits_within(void) {
  static int a, b;
  for (int r = 0; r < 2 * TIMES; r++) {
    a = b = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      for (int i = 0; i < 4; i++) {
#pragma omp task depend(inout : a)
        {
          work();
          a++;
        }
      }
#pragma omp taskwait depend(in : a)
      EXPECT_EQ(a, 4);
#pragma omp task depend(inout : a, b) if (r % 2)
      {
        work();
        b = a;
      }
#pragma omp task depend(inout : a, b) if (0)
      a = 10 * b;
      EXPECT_EQ(a, 40);
#pragma omp task depend(inout : a)
      a++;
    }
    EXPECT_EQ(a, 41);
  }
}

// Events that the creating task fulfils when it has created more: a pass that ends must not wait for them.
static void events(void) {
  static int order[2];
  for (int r = 0; r < 3 * TIMES; r++) {
    order[0] = order[1] = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) depend(out : order[0])
      order[0] = 1;
      if (r % 7 == 6) {
#pragma omp task depend(out : order[1])
        order[1] = 3;
      }
#pragma omp task depend(in : order[0]) depend(inout : order[1])
      {
        work();
        order[1] += order[0];
      }
      omp_fulfill_event(event);
    }
    EXPECT_EQ(order[1], r % 7 == 6 ? 4 : 1);
  }
}

int main(int count, char **arguments) {
  threads = count > 1 ? atoi(arguments[1]) : 2;
  for (int i = 0; i < 2; i++) {
    shapes();
    waits();
    aliases();
    clauses();
    waits_within();
    events();
  }
  if (tulle_graph_replayed() != 0)
    printf("%s replayed\n", tulle_graph_replayed() > 2000 ? "many" : "few");
  else
    puts("none replayed");
  return 0;
}
