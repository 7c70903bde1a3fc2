// SPDX-License-Identifier: Apache-2.0
// One producer makes two million tasks that depend on each other while the first of them takes its
// time: with TULLE_TASK_LIMIT the producer waits, and memory stays bounded.
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

enum { kTasks = 2000000, kMostKilobytes = 200 * 1024 };

int main(void) {
  long count = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < kTasks; i++) {
#pragma omp task depend(inout : count) shared(count) firstprivate(i)
    {
      struct timespec pause = {0, 50000000};
      if (i == 0) nanosleep(&pause, NULL);
      count++;
    }
  }
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  if (count != kTasks) printf("%ld of %d tasks ran\n", count, kTasks);
  if (usage.ru_maxrss > kMostKilobytes) printf("%ld kB were needed\n", usage.ru_maxrss);
  return count != kTasks || usage.ru_maxrss > kMostKilobytes;
}
