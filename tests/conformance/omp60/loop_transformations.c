// SPDX-License-Identifier: Apache-2.0
// reverse, interchange, stripe and fuse, alone and beneath worksharing loops: the order that each
// transformation gives, and each iteration once (OpenMP 6.0 §11). clang 22 makes tiles of stripes, so
// their order is not looked at.
#include <omp.h>
#include <string.h>
#include "expect.h"

enum { rows = 17, columns = 13 };

static int seen[rows][columns];

static void expect_each(int times) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) EXPECT(seen[i][j] == times, "[%d][%d] is %d", i, j, seen[i][j]);
  memset(seen, 0, sizeof seen);
}

static void expect_order(const int *order, int used, const char *expected) {
  EXPECT_EQ(used, strlen(expected));
  for (int k = 0; k < used; k++) EXPECT(order[k] == expected[k] - 'a', "step %d is %d", k, order[k]);
}

static void check_orders(void) {
  int order[16], used = 0;
#pragma omp reverse
  for (int i = 0; i < 5; i++) order[used++] = i;
  expect_order(order, used, "edcba");
  used = 0;
#pragma omp interchange
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 3; j++) order[used++] = i * 3 + j;
  expect_order(order, used, "adbecf");
  used = 0;
#pragma omp interchange permutation(2, 3, 1)
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      for (int k = 0; k < 2; k++) order[used++] = i * 4 + j * 2 + k;
  expect_order(order, used, "aebfcgdh");
  used = 0;
#pragma omp fuse
  {
    for (int i = 0; i < 3; i++) order[used++] = i;
    for (int j = 0; j < 4; j++) order[used++] = 10 + j;
  }
  expect_order(order, used, "akblcmn");
  used = 0;
#pragma omp fuse looprange(2, 2)
  {
    for (int i = 0; i < 2; i++) order[used++] = i;
    for (int j = 0; j < 2; j++) order[used++] = 5 + j;
    for (int k = 0; k < 2; k++) order[used++] = 8 + k;
  }
  expect_order(order, used, "abfigj");
}

static void check_nested(void) {
  int order[8], used = 0;
#pragma omp tile sizes(4)
#pragma omp reverse
  for (int i = 0; i < 6; i++) order[used++] = i;
  expect_order(order, used, "fedcba");
  used = 0;
#pragma omp reverse
#pragma omp tile sizes(2)
  for (int i = 0; i < 6; i++) order[used++] = i;
  expect_order(order, used, "efcdab");
#pragma omp stripe sizes(3)
  for (int i = 0; i < columns; i++) seen[0][i]++;
  for (int i = 0; i < columns; i++) EXPECT_EQ(seen[0][i], 1);
  memset(seen, 0, sizeof seen);
}

static void check_shared(int n) {
  int rest[columns] = {0};
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
#pragma omp reverse
    for (int i = 0; i < rows; i++) {
      EXPECT_EQ((rows - 1 - i) % n, omp_get_thread_num());
      for (int j = 0; j < columns; j++) seen[i][j]++;
    }
#pragma omp for collapse(2) schedule(dynamic)
#pragma omp interchange
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) seen[i][j]++;
#pragma omp for collapse(2) schedule(static, 2)
#pragma omp stripe sizes(4, 3)
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) seen[i][j]++;
#pragma omp for schedule(guided)
#pragma omp fuse
    {
      for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) seen[i][j]++;
      for (int k = 0; k < columns; k++) rest[k] += k;
    }
#pragma omp single
#pragma omp taskloop grainsize(2)
#pragma omp reverse
    for (int i = 0; i < rows; i++)
      for (int j = 0; j < columns; j++) seen[i][j]++;
  }
  expect_each(5);
  for (int k = 0; k < columns; k++) EXPECT_EQ(rest[k], k);
}

int main(void) {
  omp_set_dynamic(0);
  check_orders();
  check_nested();
  check_shared(omp_get_max_threads());
  return 0;
}
