// SPDX-License-Identifier: Apache-2.0
// Regions whose graph is recorded and replayed (include/tulle/graph.h): what tasks do is the same in each
// repetition, and on Tulle the code that creates them runs once. usage: graph [THREADS]; C17 and C++20.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

#include "expect.h"
#include "tulle/graph.h"
#include "tulle/tulle.h"

enum { SIDE = 24, TIMES = 12, CHAIN = 40 };

static int threads = 2;
static int code_runs;

static void code_ran(int times) {
  EXPECT_EQ(code_runs, tulle_present() ? 1 : times);
  code_runs = 0;
}

static unsigned grid[SIDE + 1][SIDE + 1], expected[SIDE + 1][SIDE + 1];

static void fill(unsigned seed) {
  for (int i = 0; i <= SIDE; i++)
    for (int j = 0; j <= SIDE; j++) grid[i][j] = expected[i][j] = i == 0 || j == 0 ? seed + (unsigned)(i + j) : 0;
  for (int i = 1; i <= SIDE; i++)
    for (int j = 1; j <= SIDE; j++) expected[i][j] = 3 * expected[i - 1][j] + expected[i][j - 1];
}

static void create_wavefront(void) {
  code_runs++;
  for (int i = 1; i <= SIDE; i++)
    for (int j = 1; j <= SIDE; j++) {
#pragma omp task depend(in : grid[i - 1][j], grid[i][j - 1]) depend(out : grid[i][j])
      grid[i][j] = 3 * grid[i - 1][j] + grid[i][j - 1];
    }
}

static void wavefront(void) {
  for (int r = 0; r < TIMES; r++) {
    fill((unsigned)r);
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      if (tulle_graph_begin(1)) create_wavefront();
      tulle_graph_end();
#pragma omp taskwait
      EXPECT_EQ(grid[SIDE][SIDE], expected[SIDE][SIDE]);
    }
  }
  code_ran(TIMES);
}

// What a task captured by value is that of the recording; what it reaches through an address is today's.
static void captures(void) {
  static int sum, today;
  for (int r = 1; r <= TIMES; r++) {
    sum = 0;
    today = r;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      if (tulle_graph_begin(2)) {
        code_runs++;
        for (int i = 0; i < CHAIN; i++) {
          long thousands = r * 1000;
#pragma omp task firstprivate(i, thousands) depend(inout : sum)
          sum += i + (int)thousands + today * 1000000;
        }
      }
      tulle_graph_end();
#pragma omp taskwait
    }
    EXPECT_EQ(sum, CHAIN * (CHAIN - 1) / 2 + CHAIN * 1000 * (tulle_present() ? 1 : r) + CHAIN * 1000000 * r);
  }
  code_ran(TIMES);
}

// Once it is forgotten it is recorded anew.
static void forgotten(void) {
  static int sum;
  for (int r = 1; r <= 2 * TIMES; r++) {
    if (r == TIMES + 1) tulle_graph_forget(3);
    sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      if (tulle_graph_begin(3)) {
        code_runs++;
#pragma omp task firstprivate(r) depend(inout : sum)
        sum += r;
      }
      tulle_graph_end();
#pragma omp taskwait
    }
    EXPECT_EQ(sum, !tulle_present() ? r : r <= TIMES ? 1 : TIMES + 1);
  }
  EXPECT_EQ(code_runs, tulle_present() ? 2 : 2 * TIMES);
  code_runs = 0;
}

// Waits, undeferred tasks and groups in the region's code are points that later tasks come after.
static void waits(void) {
  static int a, b, c, steps[8];
  for (int r = 0; r < TIMES; r++) {
    a = b = c = 0;
    for (int i = 0; i < 8; i++) steps[i] = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      if (tulle_graph_begin(4)) {
        code_runs++;
        for (int i = 0; i < 4; i++) {
#pragma omp task firstprivate(i)
          steps[i] = 1;
        }
#pragma omp taskwait
#pragma omp taskgroup
        {
#pragma omp task
          a = steps[0] + steps[1] + steps[2] + steps[3];
#pragma omp task depend(out : b)
          b = 7;
#pragma omp task depend(in : b)
          steps[4] = b;
        }
#pragma omp task if (0)
        steps[5] = steps[4] + a;
#pragma omp task depend(inout : c)
        c = steps[5] + 1;
#pragma omp taskwait depend(in : c)
#pragma omp task depend(in : c)
        steps[6] = c + 1;
#pragma omp task depend(inout : c) if (0)
        c *= 2;
      }
      tulle_graph_end();
#pragma omp taskwait
    }
    EXPECT_EQ(a, 4);
    EXPECT_EQ(steps[5], 11);
    EXPECT_EQ(steps[6], 13);
    EXPECT_EQ(c, 24);
  }
  code_ran(TIMES);
}

static int tree(int depth) {
  if (depth == 0) return 1;
  int left = 0, right = 0;
#pragma omp task shared(left)
  left = tree(depth - 1);
#pragma omp task shared(right)
  right = tree(depth - 1);
#pragma omp taskwait
  return left + right;
}

// Tasks of tasks are created each time, by the tasks; the region's end waits for those that nobody else waits for.
static void tasks_of_tasks(void) {
  static int sums[8], left_behind;
  for (int r = 0; r < TIMES; r++) {
    left_behind = 0;
    for (int i = 0; i < 8; i++) sums[i] = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      if (tulle_graph_begin(5)) {
        code_runs++;
        for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i) depend(inout : sums[i / 2])
          {
            sums[i] = tree(6);
#pragma omp task
            {
#pragma omp atomic
              left_behind++;
            }
          }
        }
      }
      tulle_graph_end();
      if (tulle_present()) EXPECT_EQ(left_behind, 8);
    }
    for (int i = 0; i < 8; i++) EXPECT_EQ(sums[i], 64);
  }
  code_ran(TIMES);
}

#ifdef __clang__
#define INOUTSET inoutset
#else
#define INOUTSET inout  // GCC 12 knows no set
#endif

static void clauses(void) {
  static int sum, before, after, shared_sets[2];
  static omp_depend_t object;
#pragma omp depobj(object) depend(inout : sum)
  for (int r = 0; r < TIMES; r++) {
    sum = before = after = 0;
    shared_sets[0] = shared_sets[1] = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      if (tulle_graph_begin(6)) {
        code_runs++;
#pragma omp task depend(out : shared_sets[0], shared_sets[1])
        before = 1;
        for (int i = 0; i < 8; i++) {
#pragma omp task depend(mutexinoutset : shared_sets[0]) priority(i) untied
          shared_sets[0] = shared_sets[0] + before;
        }
        for (int i = 0; i < 8; i++) {
#pragma omp task depend(INOUTSET : shared_sets[1]) final(i % 2 == 0)
          {
            EXPECT_EQ(omp_in_final(), i % 2 == 0);
#pragma omp atomic
            shared_sets[1] += before;
          }
        }
#pragma omp task depend(iterator(k = 0 : 2), in : shared_sets[k])
        after = shared_sets[0] + shared_sets[1];
        for (int i = 1; i <= 8; i++) {
#pragma omp task depend(depobj : object) firstprivate(i)
          sum = 3 * sum + i;
        }
      }
      tulle_graph_end();
#pragma omp taskwait
    }
    EXPECT_EQ(after, 16);
    int wanted = 0;
    for (int i = 1; i <= 8; i++) wanted = 3 * wanted + i;
    EXPECT_EQ(sum, wanted);
  }
#pragma omp depobj(object) destroy
  code_ran(TIMES);
}

// Each member has a graph of its own; then all the same one, which several replay at once.
static void members(void) {
  static int sums[64];
  static int runs[64];
  for (int i = 0; i < 64; i++) runs[i] = 0;
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
    for (int r = 0; r < TIMES; r++) {
      sums[me] = 0;
      if (tulle_graph_begin(100 + me)) {
        runs[me]++;
        for (int i = 1; i <= 8; i++) {
#pragma omp task firstprivate(i, me) depend(inout : sums[me])
          sums[me] = 2 * sums[me] + i;
        }
      }
      tulle_graph_end();
#pragma omp taskwait
      EXPECT_EQ(sums[me], 502);
    }
    EXPECT_EQ(runs[me], tulle_present() ? 1 : TIMES);
  }
  static int count;
  count = 0;
#pragma omp parallel num_threads(threads)
  for (int r = 0; r < TIMES; r++) {
    if (tulle_graph_begin(7)) {
      for (int i = 0; i < 8; i++) {
#pragma omp task
        {
#pragma omp atomic
          count++;
        }
      }
    }
    tulle_graph_end();
  }
  EXPECT_EQ(count, threads * TIMES * 8);
}

// Outside of regions, too.
static void alone(void) {
  static int value;
  for (int r = 0; r < TIMES; r++) {
    value = r;
    if (tulle_graph_begin(8)) {
      code_runs++;
#pragma omp task depend(inout : value)
      value = 2 * value;
#pragma omp task depend(inout : value)
      value = value + 1;
    }
    tulle_graph_end();
    EXPECT_EQ(value, 2 * r + 1);
  }
  code_ran(TIMES);
}

static int is_long;
static char ran[512];  // by thread

static void note_thread(void) {
  double until = omp_get_wtime() + (is_long ? 0.001 : 0);
  ran[omp_get_thread_num()] = 1;
  while (omp_get_wtime() < until) {
  }
}

// Tasks that were short in all repetitions are shared as soon as they are long.
static void short_then_long(void) {
  int sharing = 0;
  for (int r = 0; r < TIMES; r++) {
    is_long = r == TIMES - 1;
    for (int i = 0; i < 512; i++) ran[i] = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
      if (tulle_graph_begin(900)) {
        code_runs++;
        for (int i = 0; i < 150; i++) {
#pragma omp task
          note_thread();
        }
      }
      tulle_graph_end();
    }
  }
  for (int i = 0; i < 512; i++) sharing += ran[i];
  if (omp_get_num_procs() > 1) EXPECT_EQ(sharing > 1, threads > 1);
  code_ran(TIMES);
}

int main(int count, char **arguments) {
  if (count > 1) threads = atoi(arguments[1]);
  wavefront();
  captures();
  forgotten();
  waits();
  tasks_of_tasks();
  clauses();
  members();
  alone();
  short_then_long();
  puts(tulle_present() ? "replayed" : "elsewhere");
  return 0;
}
