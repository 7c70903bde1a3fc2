// SPDX-License-Identifier: Apache-2.0
// strassen: a matrix product by seven products of half the order, a task each, down to plain products.
// Its buffers come from malloc and must stay there when freed, under every runtime alike (README.md).
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"

enum { ORDER = 256, LEAF = 32, LARGEST_KEPT = 1 << 20, MEMORY_KEPT = 64 << 20 };

static double *a, *b, *product, *expected;

static double *square(int n) {
  double *m = malloc(sizeof(double) * (size_t)n * (size_t)n);
  if (!m) abort();
  return m;
}

static void plain(const double *x, int xs, const double *y, int ys, double *z, int zs, int n) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < n; j++) z[i * zs + j] = 0.0;
    for (int k = 0; k < n; k++)
      for (int j = 0; j < n; j++) z[i * zs + j] += x[i * xs + k] * y[k * ys + j];
  }
}

// A sum or difference of two quarters, made contiguous; `sign` 0 copies the first.
static double *combined(const double *x, const double *y, double sign, int stride, int n) {
  double *m = square(n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) m[i * n + j] = x[i * stride + j] + sign * y[i * stride + j];
  return m;
}

static void strassen(const double *x, int xs, const double *y, int ys, double *z, int zs, int n);

static double *half_product(double *left, double *right, int n) {
  double *m = square(n);
  strassen(left, n, right, n, m, n, n);
  free(left);
  free(right);
  return m;
}

static void strassen(const double *x, int xs, const double *y, int ys, double *z, int zs, int n) {
  if (n <= LEAF) {
    plain(x, xs, y, ys, z, zs, n);
    return;
  }
  int h = n / 2;
  const double *x11 = x, *x12 = x + h, *x21 = x + h * xs, *x22 = x21 + h;
  const double *y11 = y, *y12 = y + h, *y21 = y + h * ys, *y22 = y21 + h;
  double *m[7];
#define PRODUCT(i, left, right)   \
  _Pragma("omp task shared(m)") m[i] = half_product(left, right, h)
  PRODUCT(0, combined(x11, x22, 1, xs, h), combined(y11, y22, 1, ys, h));
  PRODUCT(1, combined(x21, x22, 1, xs, h), combined(y11, y11, 0, ys, h));
  PRODUCT(2, combined(x11, x11, 0, xs, h), combined(y12, y22, -1, ys, h));
  PRODUCT(3, combined(x22, x22, 0, xs, h), combined(y21, y11, -1, ys, h));
  PRODUCT(4, combined(x11, x12, 1, xs, h), combined(y22, y22, 0, ys, h));
  PRODUCT(5, combined(x21, x11, -1, xs, h), combined(y11, y12, 1, ys, h));
  PRODUCT(6, combined(x12, x22, -1, xs, h), combined(y21, y22, 1, ys, h));
#undef PRODUCT
#pragma omp taskwait
  for (int i = 0; i < h; i++)
    for (int j = 0; j < h; j++) {
      int k = i * h + j;
      z[i * zs + j] = m[0][k] + m[3][k] - m[4][k] + m[6][k];
      z[i * zs + j + h] = m[2][k] + m[4][k];
      z[(i + h) * zs + j] = m[1][k] + m[3][k];
      z[(i + h) * zs + j + h] = m[0][k] - m[1][k] + m[2][k] + m[5][k];
    }
  for (int i = 0; i < 7; i++) free(m[i]);
}

static void setup(const Case *c) {
  (void)c;
  mallopt(M_MMAP_THRESHOLD, LARGEST_KEPT);
  mallopt(M_TRIM_THRESHOLD, MEMORY_KEPT);
  a = square(ORDER), b = square(ORDER), product = square(ORDER), expected = square(ORDER);
  for (int i = 0; i < ORDER * ORDER; i++) {
    a[i] = (double)(i % 17) - 8.0;
    b[i] = (double)(i % 13) - 6.0;
  }
  plain(a, ORDER, b, ORDER, expected, ORDER, ORDER);
}

static void work(const Case *c) {
  (void)c;
  memset(product, 0, sizeof(double) * ORDER * ORDER);
#pragma omp parallel
#pragma omp single
  strassen(a, ORDER, b, ORDER, product, ORDER, ORDER);
}

// The entries are small integers: both ways are exact.
static bool check(const Case *c) {
  (void)c;
  return memcmp(product, expected, sizeof(double) * ORDER * ORDER) == 0;
}

const Case strassen_cases[] = {
    {.name = "bots_strassen", .setup = setup, .work = work, .check = check}, {0}};
