// SPDX-License-Identifier: Apache-2.0
// Outside of regions a process burns no CPU time, whatever it did before: a flat team, an oversubscribed
// one, tasks. The workers have a tenth of a second to see that nothing comes.
#include <omp.h>
#include <time.h>

#include "process.h"

enum { kIdleSeconds = 1, kMostMicroseconds = 20000 };

static void sleep_for(long seconds, long nanoseconds) {
  struct timespec time = {seconds, nanoseconds};
  while (nanosleep(&time, &time) != 0) {
  }
}

int main(void) {
  long sum = 0, tasks = 0;
  for (int round = 0; round < 50; round++) {
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 100; i++) sum += i;
#pragma omp task
#pragma omp atomic
      tasks++;
    }
  }
  EXPECT_EQ(sum, 50L * 4950);
  EXPECT(tasks >= 50, "%ld tasks", tasks);
  sleep_for(0, 100000000);
  long before = cpu_microseconds();
  sleep_for(kIdleSeconds, 0);
  long burnt = cpu_microseconds() - before;
  EXPECT(burnt <= kMostMicroseconds, "%ld us of CPU time in %d s outside of regions", burnt,
         kIdleSeconds);
  return 0;
}
