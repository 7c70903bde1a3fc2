// SPDX-License-Identifier: Apache-2.0
// Two members on one worker take a lock again and again, for turns of some ten microseconds. Whoever has it keeps it for a
// few turns, because a switch costs as much as many short ones, but not for as many long ones.
#include <omp.h>
#include <stdatomic.h>

#include "clock.h"
#include "expect.h"

enum { TURNS = 400, MOST_IN_A_ROW = 24 };

static const double turn_seconds = 20e-6;

static omp_lock_t lock;
static int last = -1, row, longest, switches;  // under the lock
static atomic_int waiting;

static void take_turn(int member) {
  waiting++;
  omp_set_lock(&lock);
  waiting--;
  switches += last != member;
  row = last == member && waiting > 0 ? row + 1 : 1;
  last = member;
  if (row > longest) longest = row;
  compute_for(turn_seconds);
  omp_unset_lock(&lock);
}

// One worker calls the other member only when the first one waits.
static void hold_until_other_waits(void) {
  omp_set_lock(&lock);
  while (waiting == 0) {
#pragma omp taskyield
  }
  omp_unset_lock(&lock);
}

int main(void) {
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
  {
#pragma omp master
    hold_until_other_waits();
    for (int turn = 0; turn < TURNS; turn++) take_turn(omp_get_thread_num());
  }
  omp_destroy_lock(&lock);
  EXPECT(longest <= MOST_IN_A_ROW, "(%d turns in a row while the other waits)", longest);
  EXPECT(switches > 2, "(the members did not meet)");
  return 0;
}
