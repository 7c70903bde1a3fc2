// SPDX-License-Identifier: Apache-2.0
// One producer makes a million tasks that depend on each other while the first of them takes its time: with
// TULLE_TASK_LIMIT the producer waits, and memory stays bounded; also if the tasks are untied or detachable.
#include <omp.h>
#include <sys/resource.h>

#include "expect.h"

enum { kTasks = 1000000, kMostKilobytes = 200 * 1024 };

static void work(long *count, int i) {
  if (i == 0) usleep(200000);
  ++*count;
}

static void make_tied(long *count) {
  for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : *count) firstprivate(i)
    work(count, i);
  }
}

static void make_untied(long *count) {
  for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : *count) firstprivate(i) untied
    work(count, i);
  }
}

static void make_detachable(long *count) {
  for (int i = 0; i < kTasks; i++) {
    omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp task depend(inout : *count) firstprivate(i) detach(event)
    {
      work(count, i);
      omp_fulfill_event(event);
    }
  }
}

static void check(const char *kind, void (*make)(long *)) {
  long count = 0;
#pragma omp parallel
#pragma omp single
  make(&count);
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_EQ(count, kTasks);
  EXPECT(usage.ru_maxrss <= kMostKilobytes, "%s: %ld kB were needed", kind, usage.ru_maxrss);
}

int main(void) {
  check("tied", make_tied);
  check("untied", make_untied);
  check("detachable", make_detachable);
  return 0;
}
