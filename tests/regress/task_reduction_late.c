// SPDX-License-Identifier: Apache-2.0
// Tasks that take part in the reduction of a loop may run in the names of threads that wait in a
// taskgroup in front of the loop: what they add is not lost when those threads come to the loop.
#include <omp.h>
#include <unistd.h>
#include "expect.h"

enum { kIterations = 50 };

static omp_event_handle_t events[256];
static int waiting;

static void wait_for_event(int number) {
  omp_event_handle_t event = (omp_event_handle_t)0;
#pragma omp taskgroup
  {
#pragma omp task detach(event) firstprivate(number)
    {
      events[number] = event;
      __atomic_fetch_add(&waiting, 1, __ATOMIC_RELEASE);
    }
  }
}

// The one thread that is ahead makes the tasks and leaves time to run them.
static void release_others(int threads) {
  usleep(200);
  for (int i = 1; i < threads; i++) omp_fulfill_event(events[i]);
}

static void reduce(void) {
  long sum = 1;
  waiting = 0;
#pragma omp parallel
  {
    const int number = omp_get_thread_num(), threads = omp_get_num_threads();
    if (number != 0)
      wait_for_event(number);
    else
      while (__atomic_load_n(&waiting, __ATOMIC_ACQUIRE) < threads - 1) usleep(20);
#pragma omp for reduction(task, +: sum) schedule(dynamic)
    for (int i = 0; i < kIterations; i++) {
#pragma omp task in_reduction(+: sum)
      sum += i;
      if (i == kIterations - 1) release_others(threads);
    }
  }
  EXPECT_EQ(sum, 1 + kIterations * (kIterations - 1) / 2);
}

int main(void) {
  for (int round = 0; round < 20; round++) reduce();
}
