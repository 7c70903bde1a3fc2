// SPDX-License-Identifier: Apache-2.0
// A thread that does not come to the end of its region: the others would wait for it for ever, so the
// process ends with a message. By pthread_exit of the last member, of the first one or of a task, or
// because the pthread that opened the region is cancelled in it.
// usage: leaves last|first|task|cancel
#include <pthread.h>
#include <string.h>

#include "use_openmp.h"

static int threads;

static void leave_from(int member) {
#pragma omp parallel num_threads(threads)
  {
#pragma omp barrier
    if (omp_get_thread_num() == member) pthread_exit(NULL);
#pragma omp barrier
  }
}

static void leave_from_task(void) {
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp task
    {
#pragma omp taskyield
      pthread_exit(NULL);
    }
#pragma omp taskwait
  }
}

static void *sleep_in_region(void *argument) {
#pragma omp parallel num_threads(threads)
  {
    if (omp_get_thread_num() == 0)
      for (;;) sleep(1);
  }
  return argument;
}

int main(int argc, char **argv) {
  EXPECT(argc > 1, "usage");
  threads = omp_get_max_threads();
  omp_set_dynamic(0);
  use_openmp(threads);
  if (strcmp(argv[1], "last") == 0) leave_from(threads - 1);
  if (strcmp(argv[1], "first") == 0) leave_from(0);
  if (strcmp(argv[1], "task") == 0) leave_from_task();
  if (strcmp(argv[1], "cancel") == 0) {
    pthread_t thread;
    EXPECT_EQ(pthread_create(&thread, NULL, sleep_in_region, NULL), 0);
    usleep(50000);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
  }
  return 3;
}
