// SPDX-License-Identifier: Apache-2.0
// One thread runs a single region, the others wait at its end unless nowait is given; copyprivate
// gives its values to all (OpenMP 5.2 §11.1, §5.7.2).
#include <omp.h>
#include <string.h>
#include "expect.h"

static int board[16];

static void check_copyprivate(int round) {
  int value = -1, array[20];
  double real = 0;
  char *text = NULL;
  memset(array, 0, sizeof array);
#pragma omp single copyprivate(value, array, real, text)
  {
    if (round % 3 == 0) usleep(200);
    value = round * 1000 + omp_get_thread_num();
    for (int i = 0; i < 20; i++) array[i] = value + i;
    real = value / 8.0;
    text = (char *)board;
  }
  EXPECT_EQ(value / 1000, round);
  EXPECT_EQ(array[19], value + 19);
  EXPECT(real == value / 8.0, "copyprivate double");
  EXPECT(text == (char *)board, "copyprivate pointer");
}

int main(void) {
  int runs = 0;
#pragma omp parallel
  {
    for (int round = 1; round <= 12; round++) {
#pragma omp single
      {
        runs++;
        if (round == 6) usleep(500);
        board[round] = round;
      }
      EXPECT_EQ(board[round], round);
      EXPECT_EQ(runs, round);
#pragma omp barrier
      check_copyprivate(round);
    }
#pragma omp single nowait
    board[0] = 5;
#pragma omp barrier
    EXPECT_EQ(board[0], 5);
  }
  EXPECT_EQ(runs, 12);
  int alone = 0;
#pragma omp single
  alone = 1;
  EXPECT_EQ(alone, 1);
  return 0;
}
