// SPDX-License-Identifier: Apache-2.0
// usage: task_graph_live [TASKS]. So many tasks are alive at one time, by default a million: all wait for
// one, each for the one before it, or each for two of the row before. Nothing overflows, what they compute
// is right, and all of it twice does not take more memory than once. Then a recursion of tasks, each of
// which waits for its child.
#include <omp.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "expect.h"

enum { ROW = 1000, DEPTH = 20000, MOST_BYTES_PER_TASK = 1000 };

static long tasks = 1000000;
static long ended;

static long peak_kilobytes(void) {
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

// The gate is a task that ends when its event is fulfilled.
static omp_event_handle_t hold(char *gate) {
  omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task detach(event) depend(out : *gate)
  *gate = 1;
  return event;
}

static void after_one(void) {
  char gate = 0;
  omp_event_handle_t opening = hold(&gate);
  for (long i = 0; i < tasks; i++) {
#pragma omp task depend(in : gate) shared(gate)
    __atomic_fetch_add(&ended, gate, __ATOMIC_RELAXED);
  }
  EXPECT_EQ(ended, 0);
  omp_fulfill_event(opening);
#pragma omp taskwait
}

static void chain(void) {
  char gate = 0;
  long last = 0;
  omp_event_handle_t opening = hold(&gate);
  for (long i = 0; i < tasks; i++) {
#pragma omp task depend(in : gate) depend(inout : last) shared(last) firstprivate(i)
    last = last == i ? i + 1 : -1;
  }
  EXPECT_EQ(last, 0);
  omp_fulfill_event(opening);
#pragma omp taskwait
  EXPECT_EQ(last, tasks);
}

static void rows(void) {
  char gate = 0;
  static unsigned row[ROW + 1];
  omp_event_handle_t opening = hold(&gate);
  for (int i = 0; i <= ROW; i++) row[i] = 1;
  for (long i = 0; i < tasks; i++) {
    int at = (int)(i % ROW);
#pragma omp task depend(in : gate, row[at]) depend(inout : row[at + 1]) firstprivate(at)
    row[at + 1] += row[at];
  }
  EXPECT_EQ(row[1], 1);
  omp_fulfill_event(opening);
#pragma omp taskwait
  static unsigned expected[ROW + 1];
  for (int i = 0; i <= ROW; i++) expected[i] = 1;
  for (long i = 0; i < tasks; i++) expected[i % ROW + 1] += expected[i % ROW];
  for (int i = 0; i <= ROW; i++) EXPECT_EQ(row[i], expected[i]);
}

static int descend(int left) {
  int below = 0;
  if (left == 0) return 0;
#pragma omp task shared(below)
  below = descend(left - 1);
#pragma omp taskwait
  return below + 1;
}

static void region(void (*work)(void)) {
#pragma omp parallel
#pragma omp master
  work();  // the same worker each time, since each has memory of its own
}

static int depth;
static void recursion(void) { depth = descend(DEPTH); }

int main(int argc, char **argv) {
  if (argc > 1) tasks = atol(argv[1]);
  long before = peak_kilobytes();
  region(after_one);
  EXPECT_EQ(ended, tasks);
  region(chain);
  region(rows);
  long once = peak_kilobytes() - before;
  EXPECT(once / (tasks / 1000.0) < MOST_BYTES_PER_TASK, "%ld kB", once);
  region(rows);
  region(chain);
  EXPECT(peak_kilobytes() - before < once + once / 4, "%ld kB, then %ld kB", once,
         peak_kilobytes() - before);
  region(recursion);
  EXPECT_EQ(depth, DEPTH);
  return 0;
}
