// SPDX-License-Identifier: Apache-2.0
// Members that find their turn by looks under a lock or a critical section, which they take again at once: each of those
// that wait must come to have it, however many share a worker. None of them ever waits for anything else.
#include <omp.h>
#include "expect.h"

enum { kTurns = 100 };

static void take_turns(omp_lock_t *lock) {
  int turn = 0, members = 0;
#pragma omp parallel shared(turn, members)
  {
    int self = omp_get_thread_num(), n = omp_get_num_threads();
    for (int mine = 0; mine < kTurns;) {
      if (lock != NULL) {
        omp_set_lock(lock);
        if (turn % n == self) turn++, mine++;
        omp_unset_lock(lock);
      } else {
#pragma omp critical
        if (turn % n == self) turn++, mine++;
      }
    }
#pragma omp single
    members = n;
  }
  EXPECT_EQ(turn, kTurns * members);
}

int main(void) {
  omp_set_dynamic(0);
  omp_lock_t lock;
  omp_init_lock(&lock);
  for (int round = 0; round < 2; round++) {
    take_turns(NULL);
    take_turns(&lock);
  }
  omp_destroy_lock(&lock);
  return 0;
}
