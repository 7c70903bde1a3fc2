// SPDX-License-Identifier: Apache-2.0
// A tied task waits for others in the name of a thread whose implicit task could go on. Where a task is
// called on top of what waits, the implicit task comes after it: so it must here, for it spins until
// somebody has waited for that task. And where what the task waits for waits for the implicit task, this
// must come first.
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "expect.h"

enum { THREADS = 4, PATIENCE = 60000, CHILDREN = 200 };
enum Wait { TASKWAIT, GROUP, DEPENDENCE, UNDEFERRED, LIMIT };
enum { NOTHING, STANDS, BEGUN, CHILD, READY, PASSED, DONE };

static omp_event_handle_t event;
static atomic_int stage;

static void reach(int now) {
  int before = atomic_load(&stage);
  while (before < now && !atomic_compare_exchange_weak(&stage, &before, now)) {}
}

static void wait_for(int wanted) {
  for (int ms = 0; atomic_load(&stage) < wanted; ms++) {
    EXPECT(ms < PATIENCE, "stage %d does not come", wanted);
    usleep(1000);
  }
}

// Thread 1 waits for a task that is detached; so the next task can only begin in its name.
static void wait_for_event(void) {
  omp_event_handle_t handle = (omp_event_handle_t)0;
#pragma omp task detach(handle)
  {
    event = handle;
    reach(STANDS);
  }
#pragma omp taskwait
}

// A child that another thread takes, and which ends some time after the implicit task could go on.
static void child(int last) {
  reach(CHILD);
  wait_for(last);
  usleep(20000);
}

static void wait_in_task(enum Wait wait, int last) {
  int cell = 0;
  EXPECT_EQ(omp_get_thread_num(), 1);
  reach(BEGUN);
  switch (wait) {
    case TASKWAIT:
#pragma omp task
      child(last);
      wait_for(CHILD);
#pragma omp taskwait
      break;
    case GROUP:
#pragma omp taskgroup
    {
#pragma omp task
      child(last);
      wait_for(CHILD);
    }
    break;
    case DEPENDENCE:
#pragma omp task depend(out : cell)
      child(last);
      wait_for(CHILD);
#pragma omp taskwait depend(in : cell)
      break;
    case UNDEFERRED:
#pragma omp task depend(out : cell)
      child(last);
      wait_for(CHILD);
#pragma omp task depend(in : cell) if (0)
      cell++;
      break;
    default:  // the limit of tasks holds it up
      reach(CHILD);
      for (int i = 0; i < CHILDREN; i++) {
#pragma omp task
        usleep(1000);
      }
  }
}

static void run(enum Wait wait, int what_is_below_comes_first) {
  int last = what_is_below_comes_first ? PASSED : READY;
  atomic_store(&stage, NOTHING);
#pragma omp parallel num_threads(THREADS)
  switch (omp_get_thread_num()) {
    case 0:
      wait_for(STANDS);
#pragma omp task
      wait_in_task(wait, last);
      wait_for(CHILD);
#pragma omp taskwait
      reach(DONE);
      break;
    case 1:
      wait_for_event();
      if (what_is_below_comes_first) reach(PASSED);
      while (!what_is_below_comes_first && atomic_load(&stage) < DONE) {}
      break;
    case 2:
      wait_for(CHILD);
      usleep(20000);
      omp_fulfill_event(event);
      if (!what_is_below_comes_first) reach(READY);
      break;
    default: wait_for(BEGUN);  // takes the child, at the barrier
  }
}

int main(void) {
  enum { ROUNDS = 3 };
  if (getenv("TULLE_TASK_LIMIT") != NULL) {
    for (int round = 0; round < ROUNDS; round++) run(LIMIT, 0);
    return 0;
  }
  for (int wait = TASKWAIT; wait < LIMIT; wait++) {
    for (int round = 0; round < ROUNDS; round++) run((enum Wait)wait, 0);
    run((enum Wait)wait, 1);
  }
  return 0;
}
