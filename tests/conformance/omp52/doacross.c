// SPDX-License-Identifier: Apache-2.0
// The doacross clause of ordered with sink, source and omp_cur_iteration, in one and two dimensions
// (OpenMP 5.2 §15.9.7).
#include <omp.h>
#include <string.h>
#include "expect.h"

enum { trips = 300, rows = 24, columns = 18 };

static int line[trips], grid[rows][columns];

static void check_line(void) {
#pragma omp parallel for ordered(1) schedule(static, 1)
  for (int i = 1; i < trips; i++) {
#pragma omp ordered doacross(sink : i - 1)
    line[i] = line[i - 1] + i;
#pragma omp ordered doacross(source : omp_cur_iteration)
  }
  for (int i = 1; i < trips; i++) EXPECT_EQ(line[i], i * (i + 1) / 2);
#pragma omp parallel for ordered(1) schedule(dynamic, 2)
  for (int i = 1; i < trips; i++) {
#pragma omp ordered doacross(sink : omp_cur_iteration - 1)
    line[i] = line[i - 1] + 2;
#pragma omp ordered doacross(source :)
  }
  for (int i = 1; i < trips; i++) EXPECT_EQ(line[i], 2 * i);
}

static void check_grid(void) {
  for (int i = 0; i < rows; i++) grid[i][0] = 1;
  for (int j = 0; j < columns; j++) grid[0][j] = 1;
#pragma omp parallel for ordered(2) schedule(dynamic)
  for (int i = 1; i < rows; i++)
    for (int j = 1; j < columns; j++) {
#pragma omp ordered doacross(sink : i - 1, j) doacross(sink : i, j - 1)
      grid[i][j] = (grid[i - 1][j] + grid[i][j - 1]) % 1000;
#pragma omp ordered doacross(source : omp_cur_iteration)
    }
  for (int i = 1; i < rows; i++)
    for (int j = 1; j < columns; j++)
      EXPECT_EQ(grid[i][j], (grid[i - 1][j] + grid[i][j - 1]) % 1000);
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    memset(line, 0, sizeof line);
    memset(grid, 0, sizeof grid);
    check_line();
    check_grid();
  }
  return 0;
}
