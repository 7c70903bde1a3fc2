// SPDX-License-Identifier: Apache-2.0
// Whole members of nested teams: each has its own thread-local data through every wait, and those that one worker
// runs one after the other need one pthread to sleep for them, not one each.
#include <pthread.h>

#include "../process.h"
#include "waits.h"

enum { kOuter = 4, kBesideCores = 8 };

static __thread int own;
static __thread pthread_t self;

static void check(int number, const char *where) {
  EXPECT(own == number && pthread_equal(self, pthread_self()), "thread %d has the data of %d: %s", number, own, where);
}

static void begin(void) {
  own = omp_get_thread_num();
  self = pthread_self();
}

int main(void) {
  int n = omp_get_max_threads(), sum = 0, cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(kOuter)
#pragma omp parallel num_threads(n)
    {
      begin();
#pragma omp atomic
      sum += own;
    }
  }
  EXPECT_EQ(sum, 3 * kOuter * n * (n - 1) / 2);
  int most = kOuter * (cores + 1) + cores + kBesideCores, threads = os_threads();
  EXPECT(threads <= most, "%d OS threads for members that wait for nothing, %d at most", threads, most);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel num_threads(kOuter)
    {
      own = kOuter;
#pragma omp parallel num_threads(n)
      {
        begin();
        wait_in_many_ways(check);
      }
      EXPECT_EQ(own, 0); /* the thread that opens a region is its member 0 */
    }
  }
  return 0;
}
