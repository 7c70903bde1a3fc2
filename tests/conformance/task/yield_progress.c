// SPDX-License-Identifier: Apache-2.0
// Loops that call taskyield until another task has done something: the other one is run, in the thread's own
// name where no other is free, also where threads outnumber cores.
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "expect.h"

enum { MANY = 200 };

static atomic_int done[MANY];
static int threads;
static omp_event_handle_t event;

static void clear(void) {
  for (int i = 0; i < MANY; i++) atomic_store(&done[i], 0);
}

static void yield_until(atomic_int *flag) {
  while (!atomic_load(flag)) {
#pragma omp taskyield
  }
}

// Each implicit task waits for a task that another one has made.
static void implicit_tasks(void) {
  clear();
#pragma omp parallel num_threads(threads)
  {
    int me = omp_get_thread_num();
#pragma omp task
    atomic_store(&done[(me + 1) % threads], 1);
    yield_until(&done[me]);
  }
}

// All but one thread are in tied tasks that wait for tasks made before them; those run in the last name.
static void tied_tasks(void) {
  clear();
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    for (int i = 0; i < threads - 1; i++) {
#pragma omp task firstprivate(i)
      atomic_store(&done[i], 1);
    }
    for (int i = 0; i < threads - 1; i++) {
#pragma omp task firstprivate(i)
      yield_until(&done[i]);
    }
  }
}

// Each waits for its own child, which is not the last one that it made.
static void children(void) {
  clear();
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < threads; i++) {
#pragma omp task firstprivate(i)
    {
#pragma omp task firstprivate(i)
      atomic_store(&done[i], 1);
      for (int k = 0; k < 20; k++) {
#pragma omp task
        {}
      }
      yield_until(&done[i]);
    }
  }
}

// Each waits for the one made before it, which is not the first to be taken.
static void untied_tasks(void) {
  clear();
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < MANY; i++) {
#pragma omp task untied firstprivate(i)
    {
      if (i != 0) yield_until(&done[i - 1]);
      atomic_store(&done[i], 1);
    }
  }
}

// What an implicit task does between its yields is what a task beside it waits for.
static void event_of_loop(void) {
  clear();
#pragma omp parallel num_threads(threads)
#pragma omp master
  {
    omp_event_handle_t handle = (omp_event_handle_t)0;
    int fulfilled = 0;
#pragma omp task detach(handle)
    {
      event = handle;
      atomic_store(&done[1], 1);
    }
#pragma omp task
    {
#pragma omp task
      {}
#pragma omp taskwait
      atomic_store(&done[0], 1);
    }
    while (!atomic_load(&done[0]) || !fulfilled) {
#pragma omp taskyield
      if (fulfilled || !atomic_load(&done[1])) continue;
      omp_fulfill_event(event);
      fulfilled = 1;
    }
  }
}

static void nested_regions(void) {
  clear();
#pragma omp parallel num_threads(threads)
  {
    int outer = omp_get_thread_num() * 2;
#pragma omp parallel num_threads(2)
    {
      int me = omp_get_thread_num();
#pragma omp task
      atomic_store(&done[outer + (omp_get_num_threads() == 1 ? 0 : 1 - me)], 1);
      yield_until(&done[outer + me]);
    }
  }
}

int main(void) {
  omp_set_max_active_levels(2);
  omp_set_dynamic(0);
  threads = omp_get_max_threads();
  EXPECT(2 * threads <= MANY, "%d threads", threads);
  for (int round = 0; round < 20; round++) {
    implicit_tasks();
    tied_tasks();
    children();
    untied_tasks();
    event_of_loop();
    nested_regions();
  }
  return 0;
}
