// SPDX-License-Identifier: Apache-2.0
// tile and unroll, alone and beneath loop constructs: each iteration once, in the order that the
// transformation gives (OpenMP 5.2 §9). clang 22 makes wrong code of collapse over the loops within
// the tiles.
#include <omp.h>
#include <string.h>
#include "expect.h"

enum { rows = 19, columns = 23 };

static int seen[rows][columns];

static void expect_each(int times) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) EXPECT(seen[i][j] == times, "[%d][%d] is %d", i, j, seen[i][j]);
  memset(seen, 0, sizeof seen);
}

static void check_order(void) {
  int order[8], used = 0;
#pragma omp tile sizes(2, 2)
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++) order[used++] = i * 4 + j;
  const int expected[8] = {0, 1, 4, 5, 2, 3, 6, 7};
  for (int k = 0; k < 8; k++) EXPECT_EQ(order[k], expected[k]);
}

static void check_alone(int size) {
#pragma omp tile sizes(4, size)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) seen[i][j]++;
  expect_each(1);
  for (int i = 0; i < rows; i++) {
#pragma omp unroll partial(4)
    for (int j = 0; j < columns; j++) seen[i][j]++;
#pragma omp unroll full
    for (int j = 0; j < columns; j++) seen[i][j]++;
#pragma omp unroll
    for (int j = columns - 1; j >= 0; j -= 1) seen[i][j]++;
  }
  expect_each(3);
}

static void check_shared(void) {
  static int tile_of[rows / 4 + 1];
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
#pragma omp tile sizes(4)
    for (int i = 0; i < rows; i++) {
      for (int j = 0; j < columns; j++) seen[i][j]++;
      if (i % 4 == 0) tile_of[i / 4] = omp_get_thread_num();
      EXPECT_EQ(tile_of[i / 4], omp_get_thread_num());
      EXPECT_EQ(i / 4 % omp_get_num_threads(), omp_get_thread_num());
    }
#pragma omp for collapse(2) schedule(guided)
#pragma omp tile sizes(3, 5)
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) seen[i][j]++;
#pragma omp for schedule(static, 1)
#pragma omp unroll partial(3)
    for (int i = 0; i < rows; i++) {
      EXPECT_EQ(i / 3 % omp_get_num_threads(), omp_get_thread_num());
      for (int j = 0; j < columns; j++) seen[i][j]++;
    }
#pragma omp single
#pragma omp taskloop
#pragma omp tile sizes(2)
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) seen[i][j]++;
  }
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma omp tile sizes(7)
#pragma omp unroll partial(2)
  for (int i = 0; i < rows; i++) sum += i;
  EXPECT_EQ(sum, rows * (rows - 1) / 2);
  expect_each(4);
}

int main(void) {
  omp_set_dynamic(0);
  check_order();
  check_alone(omp_get_max_threads());
  check_shared();
  return 0;
}
