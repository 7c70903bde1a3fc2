// SPDX-License-Identifier: Apache-2.0
// Members that find out whose turn it is by looks under a lock that they take again at once: a critical section, a
// lock, one that is tested. Whoever only looks lets others have it, so that few looks are in vain.
#include <omp.h>

#include "expect.h"

enum { turns = 100, looks_for_a_turn = 30 };

static int members, turn;
static long looks_of_all;  // under the lock: who counts them for itself does not look only
static omp_lock_t lock;

static int look(int self) {
  int mine = turn % members == self;
  ++looks_of_all;
  turn += mine;
  return mine;
}

static int in_critical(int self) {
  int mine;
#pragma omp critical
  mine = look(self);
  return mine;
}

static int in_lock(int self) {
  omp_set_lock(&lock);
  int mine = look(self);
  omp_unset_lock(&lock);
  return mine;
}

static int in_tested_lock(int self) {
  if (!omp_test_lock(&lock)) return 0;
  int mine = look(self);
  omp_unset_lock(&lock);
  return mine;
}

static void take_turns(const char *where, int (*try)(int self), int bounded) {
  long looks = 0, taken = (long)turns * members;
  turn = 0;
  looks_of_all = 0;
#pragma omp parallel
  for (int left = turns, self = omp_get_thread_num(); left > 0;) left -= try(self);
  looks = looks_of_all;
  EXPECT_EQ(turn, taken);
  EXPECT(!bounded || members == 1 || looks < looks_for_a_turn * members * taken, "%s: %ld looks for %ld turns of %d",
         where, looks, taken, members);
}

int main(void) {
  members = omp_get_max_threads();
  omp_set_dynamic(0);
  omp_init_lock(&lock);
  take_turns("critical", in_critical, 1);
  take_turns("lock", in_lock, 1);
  take_turns("test", in_tested_lock, 0);
  omp_destroy_lock(&lock);
  return 0;
}
