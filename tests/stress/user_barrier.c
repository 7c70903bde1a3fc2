// SPDX-License-Identifier: Apache-2.0
// Members meet at a barrier of the program's own that only spins, as BLIS's do: flat, and in two
// nested teams.
#include <omp.h>
#include "expect.h"
#include "spin_barrier.h"

static int visits[2];

static void run(struct Barrier *barrier, int *board, int steps) {
  int self = omp_get_thread_num();
  for (int step = 1; step <= steps; step++) {
    board[self] = step;
    meet(barrier);
    for (int i = 0; i < barrier->size; i++)
      EXPECT(board[i] >= step, "thread %d is at step %d, not %d", i, board[i], step);
    EXPECT_EQ(omp_get_thread_num(), self);
    meet(barrier);
  }
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads(), board[64] = {0};
  struct Barrier flat = {n, 0, 0};
#pragma omp parallel
  run(&flat, board, n > 16 ? 1 : 3);
  int inner = n >= 16 ? 4 : n > 1 ? 2 : 1;
#pragma omp parallel num_threads(2)
  {
    struct Barrier own = {inner, 0, 0};
    int own_board[4] = {0};
#pragma omp parallel num_threads(inner) shared(own, own_board)
    run(&own, own_board, 2);
    visits[omp_get_thread_num()]++;
  }
  EXPECT_EQ(visits[0] + visits[1], 2);
  return 0;
}
