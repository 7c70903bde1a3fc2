// SPDX-License-Identifier: Apache-2.0
// Members that find their turn by looks under a mutex of the C library's, which they take again at once. None ever waits for
// it for long, so the others come to have it in time only because whoever takes locks leaves them the core.
#include <omp.h>
#include <pthread.h>
#include "expect.h"

enum { kTurns = 100 };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
  omp_set_dynamic(0);
  int turn = 0, members = 0;
#pragma omp parallel shared(turn, members)
  {
    int self = omp_get_thread_num(), n = omp_get_num_threads();
    for (int mine = 0; mine < kTurns;) {
      pthread_mutex_lock(&mutex);
      if (turn % n == self) turn++, mine++;
      pthread_mutex_unlock(&mutex);
    }
#pragma omp single
    members = n;
  }
  EXPECT_EQ(turn, kTurns * members);
  return 0;
}
