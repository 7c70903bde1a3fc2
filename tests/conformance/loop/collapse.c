// SPDX-License-Identifier: Apache-2.0
// collapse of two to four loops, with strides, zero trips in any of them, and triangular nests
// (OpenMP 5.2 §4.4.3).
#include <omp.h>
#include <string.h>
#include "expect.h"

static int seen[6][7][8][3];

static void check_rectangle(void) {
  memset(seen, 0, sizeof seen);
#pragma omp parallel for collapse(4) schedule(dynamic, 5)
  for (int i = 0; i < 6; i++)
    for (long j = 6; j >= 0; j--)
      for (unsigned k = 0; k < 16; k += 2)
        for (short l = 2; l > -1; l--) seen[i][j][k / 2][l]++;
  int *cells = &seen[0][0][0][0];
  for (int c = 0; c < 6 * 7 * 8 * 3; c++) EXPECT_EQ(cells[c], 1);
}

static void check_empty(int rows, int columns, int depth) {
  int count = 0, last = -1;
#pragma omp parallel for collapse(3) schedule(guided) reduction(+ : count) lastprivate(last)
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      for (int k = 0; k < depth; k++) {
        count++;
        last = (i * columns + j) * depth + k;
      }
  EXPECT_EQ(count, rows * columns * depth);
  if (count) EXPECT_EQ(last, count - 1);
}

static void check_triangle(void) {
  int hits[40][40] = {{0}};
#pragma omp parallel for collapse(2)
  for (int i = 0; i < 40; i++)
    for (int j = i; j < 40; j++) hits[i][j]++;
  for (int i = 0; i < 40; i++)
    for (int j = 0; j < 40; j++) EXPECT_EQ(hits[i][j], j >= i);
  long long sum = 0, wanted = 0;
  for (int i = 1; i < 50; i += 3)
    for (int j = 2 * i - 3; j < 3 * i + 1; j += 3) wanted += i * 1000 + j;
#pragma omp parallel for collapse(2) reduction(+ : sum)
  for (int i = 1; i < 50; i += 3)
    for (int j = 2 * i - 3; j < 3 * i + 1; j += 3) sum += i * 1000 + j;
  EXPECT_EQ(sum, wanted);
}

int main(void) {
  check_rectangle();
  check_empty(3, 4, 5);
  check_empty(0, 4, 5);
  check_empty(3, 0, 5);
  check_empty(3, 4, 0);
  check_empty(1, 1, 1);
  check_empty(1, 300, 2);
  check_triangle();
  return 0;
}
