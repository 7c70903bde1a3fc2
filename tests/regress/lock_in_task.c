// SPDX-License-Identifier: Apache-2.0
// A tied task waits for a lock in the name of a thread whose implicit task could go on. A lock is no
// task scheduling point: the implicit task, which then spins until somebody has waited for that task,
// must come after it. And where whoever holds the lock waits for the implicit task, this must come first.
#include <omp.h>
#include <stdatomic.h>
#include <unistd.h>

#include "expect.h"

enum { THREADS = 4, PATIENCE = 3000 };

static omp_lock_t lock;
static omp_event_handle_t event;
static atomic_int stage;
static atomic_int number;  // of the thread that runs the task

enum { NOTHING, HELD, WAITS, MADE, BEGUN, FULFILLED, PASSED, DONE };

static void wait_for(int wanted) {
  for (int ms = 0; atomic_load(&stage) < wanted; ms++) {
    EXPECT(ms < 20 * PATIENCE, "stage %d does not come", wanted);
    usleep(1000);
  }
}

static void reach(int now) { atomic_store(&stage, now); }

// Thread 1 waits for a task that is detached; so the next task can only begin in its name.
static void wait_for_event(void) {
  omp_event_handle_t handle = (omp_event_handle_t)0;
  wait_for(HELD);
#pragma omp task detach(handle)
  {
    event = handle;
    reach(WAITS);
  }
#pragma omp taskwait
}

// Thread 0 makes a task and does not wait for it before it has begun elsewhere.
static void make_task(void) {
  wait_for(WAITS);
#pragma omp task
  {
    atomic_store(&number, omp_get_thread_num());
    reach(BEGUN);
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
  }
  wait_for(BEGUN);
  EXPECT_EQ(atomic_load(&number), 1);
}

// Thread 2 holds the lock meanwhile, and lets thread 1 go on.
static void hold_lock(int until) {
  omp_set_lock(&lock);
  reach(HELD);
  wait_for(BEGUN);
  usleep(20000);
  omp_fulfill_event(event);
  wait_for(until);
  usleep(20000);
  omp_unset_lock(&lock);
}

static void prepare(void) {
  reach(NOTHING);
  omp_init_lock(&lock);
  omp_set_dynamic(0);
}

static void spins_until_task_has_ended(void) {
  prepare();
#pragma omp parallel num_threads(THREADS)
  switch (omp_get_thread_num()) {
    case 0:
      make_task();
#pragma omp taskwait
      reach(DONE);
      break;
    case 1:
      wait_for_event();
      while (atomic_load(&stage) < DONE) {}
      break;
    case 2: hold_lock(BEGUN); break;
    default: wait_for(DONE);
  }
  omp_destroy_lock(&lock);
}

static void holder_waits_for_what_is_below(void) {
  prepare();
#pragma omp parallel num_threads(THREADS)
  switch (omp_get_thread_num()) {
    case 0: make_task(); break;
    case 1:
      wait_for_event();
      reach(PASSED);
      break;
    case 2: hold_lock(PASSED); break;
    default: wait_for(PASSED);
  }
  omp_destroy_lock(&lock);
}

int main(void) {
  for (int round = 0; round < 5; round++) spins_until_task_has_ended();
  holder_waits_for_what_is_below();
  return 0;
}
