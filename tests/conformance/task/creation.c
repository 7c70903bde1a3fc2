// SPDX-License-Identifier: Apache-2.0
// What tulle_set_task_creation() promises: breadth first, the maker goes on before its tasks; work
// first, a task runs before its maker goes on, unless another thread takes an untied maker. The choice
// is a control variable: tasks and regions begin with that of the task that made them.
#include <omp.h>
#include <tulle/tasks.h>
#include "expect.h"

enum { kTasks = 200 };

static int ran;

static int count(void) { return __atomic_load_n(&ran, __ATOMIC_SEQ_CST); }

// Returns how many tasks had run when the last one was made.
static int make_tasks(void) {
  __atomic_store_n(&ran, 0, __ATOMIC_SEQ_CST);
  for (int i = 0; i < kTasks; i++) {
#pragma omp task
    __atomic_fetch_add(&ran, 1, __ATOMIC_SEQ_CST);
  }
  int before = count();
#pragma omp taskwait
  EXPECT_EQ(count(), kTasks);
  return before;
}

static void check_breadth_first(void) {
#pragma omp parallel num_threads(1)
  {
    EXPECT_EQ(tulle_set_task_creation("breadth_first"), 1);
    EXPECT_EQ(make_tasks(), 0);
  }
}

static void check_work_first(void) {
  EXPECT_EQ(tulle_set_task_creation("WORK_FIRST"), 1);
#pragma omp parallel
#pragma omp single
  {
    EXPECT_EQ(make_tasks(), kTasks);
#pragma omp task
    EXPECT_EQ(make_tasks(), kTasks);
  }
  EXPECT_EQ(tulle_set_task_creation(NULL), 1);
}

// The untied maker has to go on while its task waits for that; alone it goes on behind it.
static void check_taken(void) {
  int went_on = 0, order = 0;
#pragma omp parallel shared(went_on, order)
#pragma omp single
  {
    tulle_set_task_creation("work_first");
    int threads = omp_get_num_threads();
#pragma omp task untied shared(went_on, order) firstprivate(threads)
    {
#pragma omp task shared(went_on, order) firstprivate(threads)
      {
        while (threads > 1 && !__atomic_load_n(&went_on, __ATOMIC_SEQ_CST)) usleep(20);
        __atomic_store_n(&order, 1 + __atomic_load_n(&went_on, __ATOMIC_SEQ_CST), __ATOMIC_SEQ_CST);
      }
      __atomic_store_n(&went_on, 1, __ATOMIC_SEQ_CST);
#pragma omp taskwait
    }
  }
  EXPECT_EQ(order, omp_get_max_threads() > 1 ? 2 : 1);
}

static long tree(int depth) {
  long left = 0, right = 0;
  if (depth == 0) return 1;
#pragma omp task untied shared(left)
  left = tree(depth - 1);
#pragma omp task untied shared(right)
  right = tree(depth - 1);
#pragma omp taskwait
  return left + right;
}

static void check_tree(const char *policy) {
  long leaves = 0;
  EXPECT_EQ(tulle_set_task_creation(policy), 1);
#pragma omp parallel
#pragma omp single
  leaves = tree(11);
  EXPECT_EQ(leaves, 2048);
}

int main(void) {
  omp_set_dynamic(0);
  EXPECT_EQ(tulle_set_task_creation("depth_first"), 0);
  for (int round = 0; round < 3; round++) {
    check_breadth_first();
    check_work_first();
    check_taken();
    check_tree("work_first");
    check_tree("breadth_first");
    check_tree(NULL);
  }
  return 0;
}
