// SPDX-License-Identifier: Apache-2.0
// Tasks that all wait for events, more of them than TULLE_TASK_LIMIT, and their maker fulfills these after it
// has made the last one: alone, in each thread of the team, while a team mate waits for it inside a region, and
// while one makes and ends other tasks until then.
#include <omp.h>

#include "expect.h"

enum { kTasks = 300 };

static void one(long *count) { __atomic_fetch_add(count, 1, __ATOMIC_RELAXED); }

static void open_late(long *count) {
  char gate = 0, cells[8] = {0};
  (void)gate, (void)cells;
  omp_event_handle_t event = (omp_event_handle_t)0, events[kTasks];
#pragma omp task depend(out : gate) detach(event)
  one(count);
  for (int i = 0; i < kTasks; i++) {
    omp_event_handle_t own = (omp_event_handle_t)0;
#pragma omp task detach(own)
    one(count);
    events[i] = own;
#pragma omp task depend(in : gate) depend(inout : cells[i % 8])
    one(count);
#pragma omp task depend(in : gate) untied
    one(count);
  }
  EXPECT(__atomic_load_n(count, __ATOMIC_RELAXED) <= 1 + kTasks, "a task ran before its gate was open");
  for (int i = 0; i < kTasks; i++) omp_fulfill_event(events[i]);
  omp_fulfill_event(event);
#pragma omp taskwait
  EXPECT_EQ(*count, 3 * kTasks + 1);
}

static void check_one_maker(void) {
  long count = 0;
#pragma omp parallel
#pragma omp single
  open_late(&count);
}

static void check_all_makers(void) {
#pragma omp parallel
  {
    long count = 0;
    open_late(&count);
  }
}

static void check_mate_in_region(void) {
  long count = 0;
  int opened = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    open_late(&count);
    __atomic_store_n(&opened, 1, __ATOMIC_RELEASE);
  } else {
#pragma omp parallel num_threads(2)
    while (!__atomic_load_n(&opened, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
      usleep(100);
    }
  }
}

static void check_mate_makes_tasks(void) {
  long count = 0, others = 0;
  int opened = 0;
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0) {
    open_late(&count);
    __atomic_store_n(&opened, 1, __ATOMIC_RELEASE);
  } else {
    while (!__atomic_load_n(&opened, __ATOMIC_ACQUIRE)) {
#pragma omp task
      one(&others);
#pragma omp taskwait
    }
  }
}

int main(void) {
  check_one_maker();
  check_all_makers();
  check_mate_in_region();
  check_mate_makes_tasks();
  return 0;
}
