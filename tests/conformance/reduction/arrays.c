// SPDX-License-Identifier: Apache-2.0
// Reductions over whole arrays, array sections of fixed and variable length, and through pointers.
#include <omp.h>
#include "expect.h"

static void check_sections(int length) {
  int fixed[10] = {0}, *heap = calloc(length, sizeof *heap);
  double matrix[4][5] = {{0}}, variable[length];
  for (int i = 0; i < length; i++) variable[i] = 1;
#pragma omp parallel for reduction(+ : fixed, heap[ : length], matrix[1 : 2][ : ]) \
    reduction(max : variable[2 : length - 2]) schedule(dynamic)
  for (int i = 0; i < 400; i++) {
    fixed[i % 10] += i;
    heap[i % length]++;
    matrix[1 + i % 2][i % 5] += 0.5;
    if (variable[2 + i % (length - 2)] < i) variable[2 + i % (length - 2)] = i;
  }
  for (int d = 0; d < 10; d++) EXPECT_EQ(fixed[d], 40 * d + 10 * (39 * 40 / 2));
  for (int i = 0; i < length; i++) EXPECT_EQ(heap[i], 400 / length + (i < 400 % length));
  for (int c = 0; c < 5; c++) {
    EXPECT(matrix[0][c] == 0 && matrix[3][c] == 0, "column %d", c);
    EXPECT(matrix[1][c] == 20 && matrix[2][c] == 20, "column %d: %g", c, matrix[1][c]);
  }
  EXPECT(variable[0] == 1 && variable[1] == 1, "outside of the section");
  for (int i = 2; i < length; i++) EXPECT(variable[i] >= 400 - length, "%g", variable[i]);
  free(heap);
}

static void check_large(void) {
  enum { size = 5000 };
  static int histogram[size];
  for (int i = 0; i < size; i++) histogram[i] = 0;
#pragma omp parallel for reduction(+ : histogram)
  for (int i = 0; i < 20000; i++) histogram[i * 7 % size]++;
  for (int i = 0; i < size; i++) EXPECT_EQ(histogram[i], 4);
}

int main(void) {
  check_sections(7);
  check_sections(50);
  check_large();
  return 0;
}
