// SPDX-License-Identifier: Apache-2.0
// Members that sleep in the kernel while others wait behind them: the looks at their registers end no
// sleep before its time. One that begins just as it is looked at may end early, which is seldom.
#include <errno.h>
#include <omp.h>
#include <poll.h>
#include <semaphore.h>
#include <time.h>

#include "expect.h"

enum { ROUNDS = 12, SLEEP_MS = 15 };

static void compute(double seconds) {
  double end = omp_get_wtime() + seconds;
  while (omp_get_wtime() < end) {
  }
}

static int wait_in_vain(void) {
  struct timespec end;
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec += SLEEP_MS * 1000000L;
  end.tv_sec += end.tv_nsec / 1000000000L;
  end.tv_nsec %= 1000000000L;
  return sem_timedwait(&semaphore, &end) != 0 && errno == EINTR;
}

int main(void) {
  int threads = omp_get_max_threads() > 8 ? 8 : omp_get_max_threads(), early = 0, sleeps = 0;
  struct timespec pause = {0, SLEEP_MS * 1000000L};
  omp_set_dynamic(0);
  for (int round = 0; round < ROUNDS; round++) {
#pragma omp parallel num_threads(threads) reduction(+ : early, sleeps)
    {
      early += nanosleep(&pause, NULL) != 0;
      compute(0.001 * (round + 1));
      early += poll(NULL, 0, SLEEP_MS) < 0;
      early += wait_in_vain();
      sleeps += 3;
    }
  }
  EXPECT(early * 20 <= sleeps, "%d of %d sleeps ended early", early, sleeps);
  return 0;
}
