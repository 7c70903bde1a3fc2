// SPDX-License-Identifier: Apache-2.0
// sparselu: LU factorisation of a matrix of blocks, most of them empty; tasks for the blocks of each
// phase, taskwait between the phases.
#include <stdlib.h>
#include <string.h>

#include "tables.h"

enum { BLOCKS = 20, SIZE = 16, BYTES = SIZE * SIZE * sizeof(double) };

typedef double *Matrix[BLOCKS][BLOCKS];

static Matrix original, factored, expected;

static void factor_diagonal(double *d) {
  for (int k = 0; k < SIZE; k++)
    for (int i = k + 1; i < SIZE; i++) {
      d[i * SIZE + k] /= d[k * SIZE + k];
      for (int j = k + 1; j < SIZE; j++) d[i * SIZE + j] -= d[i * SIZE + k] * d[k * SIZE + j];
    }
}

static void solve_right(const double *d, double *r) {
  for (int k = 0; k < SIZE; k++)
    for (int i = k + 1; i < SIZE; i++)
      for (int j = 0; j < SIZE; j++) r[i * SIZE + j] -= d[i * SIZE + k] * r[k * SIZE + j];
}

static void solve_below(const double *d, double *b) {
  for (int i = 0; i < SIZE; i++)
    for (int k = 0; k < SIZE; k++) {
      b[i * SIZE + k] /= d[k * SIZE + k];
      for (int j = k + 1; j < SIZE; j++) b[i * SIZE + j] -= b[i * SIZE + k] * d[k * SIZE + j];
    }
}

static void subtract_product(const double *b, const double *r, double *inner) {
  for (int i = 0; i < SIZE; i++)
    for (int k = 0; k < SIZE; k++)
      for (int j = 0; j < SIZE; j++) inner[i * SIZE + j] -= b[i * SIZE + k] * r[k * SIZE + j];
}

static double *new_block(void) {
  double *b = calloc(1, BYTES);
  if (!b) abort();
  return b;
}

static void factorise(Matrix m) {
  for (int k = 0; k < BLOCKS; k++) {
    factor_diagonal(m[k][k]);
    for (int j = k + 1; j < BLOCKS; j++) {
      if (m[k][j]) {
#pragma omp task firstprivate(k, j) shared(m)
        solve_right(m[k][k], m[k][j]);
      }
      if (m[j][k]) {
#pragma omp task firstprivate(k, j) shared(m)
        solve_below(m[k][k], m[j][k]);
      }
    }
#pragma omp taskwait
    for (int i = k + 1; i < BLOCKS; i++)
      for (int j = k + 1; j < BLOCKS; j++) {
        if (!m[i][k] || !m[k][j]) continue;
#pragma omp task firstprivate(k, i, j) shared(m)
        {
          if (!m[i][j]) m[i][j] = new_block();
          subtract_product(m[i][k], m[k][j], m[i][j]);
        }
      }
#pragma omp taskwait
  }
}

static bool begins_full(int i, int j) { return i == j || (i * 7 + j * 3) % 5 == 0; }

static void restart(Matrix m) {
  for (int i = 0; i < BLOCKS; i++)
    for (int j = 0; j < BLOCKS; j++) {
      if (original[i][j] && !m[i][j]) m[i][j] = new_block();
      if (original[i][j]) memcpy(m[i][j], original[i][j], BYTES);
      if (!original[i][j]) {
        free(m[i][j]);
        m[i][j] = NULL;
      }
    }
}

static void setup(const Case *c) {
  (void)c;
  uint32_t state = 3;
  for (int i = 0; i < BLOCKS; i++)
    for (int j = 0; j < BLOCKS; j++) {
      if (!begins_full(i, j)) continue;
      original[i][j] = new_block();
      for (int e = 0; e < SIZE * SIZE; e++)
        original[i][j][e] = (double)(next_random(&state) % 100) / 100.0;
      for (int e = 0; i == j && e < SIZE; e++) original[i][j][e * SIZE + e] += BLOCKS * SIZE;
    }
  restart(expected);
  factorise(expected);
}

static void work(const Case *c) {
  (void)c;
  restart(factored);
#pragma omp parallel
#pragma omp single
  factorise(factored);
}

static bool check(const Case *c) {
  (void)c;
  for (int i = 0; i < BLOCKS; i++)
    for (int j = 0; j < BLOCKS; j++) {
      if (!factored[i][j] != !expected[i][j]) return false;
      if (factored[i][j] && memcmp(factored[i][j], expected[i][j], BYTES) != 0) return false;
    }
  return true;
}

const Case sparselu_cases[] = {
    {.name = "bots_sparselu", .setup = setup, .work = work, .check = check}, {0}};
