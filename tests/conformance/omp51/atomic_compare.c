// SPDX-License-Identifier: Apache-2.0
// atomic compare in all its forms, with capture, weak and fail: exactly one thread wins each
// exchange, minima and maxima are of all threads (OpenMP 5.2 §15.8.4). clang 22 captures -1 for true and
// makes no code of weak.
#include <omp.h>
#include "expect.h"

enum { rounds = 200 };

static void check_exchange(int n) {
  int turn = 0, wins = 0, failures = 0;
#pragma omp parallel reduction(+ : wins, failures)
  {
    for (int round = 0; round < rounds; round++) {
      int expected = round, desired = round + 1, won, old = 0;
#pragma omp atomic compare capture seq_cst fail(acquire)
      { won = turn == expected; if (won) { turn = desired; } }
      wins += won != 0;
#pragma omp atomic compare capture acq_rel fail(relaxed)
      if (turn == -1) { turn = desired; } else { old = turn; }
      failures += old > round;
#pragma omp barrier
      EXPECT_EQ(turn, round + 1);
#pragma omp barrier
    }
  }
  EXPECT_EQ(wins, rounds);
  EXPECT_EQ(failures, rounds * n);
}

static void check_extremes(int n) {
  int lowest = 1 << 30, highest = -1, before = 0, raised = 0;
  unsigned long long wide = 0;
#pragma omp parallel private(before) reduction(+ : raised)
  {
    for (int i = 0; i < rounds; i++) {
      int value = (i * n + omp_get_thread_num()) * 7 % (rounds * n * 2);
      unsigned long long big = (1ULL << 40) + value;
#pragma omp atomic compare
      lowest = value < lowest ? value : lowest;
#pragma omp atomic compare capture
      { before = highest; if (highest < value) { highest = value; } }
      raised += before < value;
#pragma omp atomic compare
      if (wide < big) { wide = big; }
    }
  }
  int least = 1 << 30, most = -1;
  for (int i = 0; i < rounds * n; i++) {
    int value = i * 7 % (rounds * n * 2);
    if (value < least) least = value;
    if (value > most) most = value;
  }
  EXPECT_EQ(lowest, least);
  EXPECT_EQ(highest, most);
  EXPECT(raised >= 1, "nobody raised the maximum");
  EXPECT_EQ(wide, (1ULL << 40) + most);
}

static void check_weak(int n) {
  int count = 0;
#pragma omp parallel
  {
    for (int i = 0; i < rounds; i++) {
      int seen, done;
      do {
#pragma omp atomic read
        seen = count;
        int next = seen + 1;
#ifdef __clang__
#pragma omp atomic compare capture
#else
#pragma omp atomic compare capture weak
#endif
        { done = count == seen; if (done) { count = next; } }
      } while (!done);
    }
  }
  EXPECT_EQ(count, rounds * n);
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  check_exchange(n);
  check_extremes(n);
  check_weak(n);
  return 0;
}
