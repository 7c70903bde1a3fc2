// SPDX-License-Identifier: Apache-2.0
// Cholesky factorization by tiles in a region on a device, as in figure 6.15 of the paper that the devices are after
// (an OpenMP runtime for clusters of cores, tasks with and without dependences): cholesky.c TILES SIDE prints the
// seconds of one thread, of tasks that taskwait orders, of tasks that dependences order, and of these on the host. The
// results are held against one another.
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALONE, BY_TASKWAIT, BY_DEPENDENCES };

#pragma omp declare target
static double root_of(double x) {
  double y = x > 1 ? x : 1;
  for (int i = 0; i < 60; i++) y = 0.5 * (y + x / y);
  return y;
}

void factor(double *a, int n) {
  for (int k = 0; k < n; k++) {
    a[k * n + k] = root_of(a[k * n + k]);
    for (int i = k + 1; i < n; i++) a[i * n + k] /= a[k * n + k];
    for (int j = k + 1; j < n; j++)
      for (int i = j; i < n; i++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
  }
}

void solve(const double *l, double *b, int n) {
  for (int r = 0; r < n; r++)
    for (int k = 0; k < n; k++) {
      for (int i = 0; i < k; i++) b[r * n + k] -= b[r * n + i] * l[k * n + i];
      b[r * n + k] /= l[k * n + k];
    }
}

void subtract(const double *a, const double *b, double *c, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += a[i * n + k] * b[j * n + k];
      c[i * n + j] -= sum;
    }
}

void one_thread(double *m, int tiles, int n) {
#define TILE(i, j) (m + ((size_t)(i) * (size_t)tiles + (size_t)(j)) * (size_t)n * (size_t)n)
  for (int k = 0; k < tiles; k++) {
    factor(TILE(k, k), n);
    for (int i = k + 1; i < tiles; i++) solve(TILE(k, k), TILE(i, k), n);
    for (int j = k + 1; j < tiles; j++)
      for (int i = j; i < tiles; i++) subtract(TILE(i, k), TILE(j, k), TILE(i, j), n);
  }
}

void by_taskwait(double *m, int tiles, int n) {
  for (int k = 0; k < tiles; k++) {
    factor(TILE(k, k), n);
    for (int i = k + 1; i < tiles; i++) {
#pragma omp task
      solve(TILE(k, k), TILE(i, k), n);
    }
#pragma omp taskwait
    for (int j = k + 1; j < tiles; j++)
      for (int i = j; i < tiles; i++) {
#pragma omp task
        subtract(TILE(i, k), TILE(j, k), TILE(i, j), n);
      }
#pragma omp taskwait
  }
}

void by_dependences(double *m, int tiles, int n) {
  for (int k = 0; k < tiles; k++) {
#pragma omp task depend(inout : TILE(k, k)[0])
    factor(TILE(k, k), n);
    for (int i = k + 1; i < tiles; i++) {
#pragma omp task depend(in : TILE(k, k)[0]) depend(inout : TILE(i, k)[0])
      solve(TILE(k, k), TILE(i, k), n);
    }
    for (int j = k + 1; j < tiles; j++)
      for (int i = j; i < tiles; i++) {
#pragma omp task depend(in : TILE(i, k)[0], TILE(j, k)[0]) depend(inout : TILE(i, j)[0])
        subtract(TILE(i, k), TILE(j, k), TILE(i, j), n);
      }
  }
}

void factorize(double *m, int tiles, int n, int how) {
  if (how == ALONE) {
    one_thread(m, tiles, n);
    return;
  }
#pragma omp parallel
#pragma omp single
  {
    if (how == BY_TASKWAIT)
      by_taskwait(m, tiles, n);
    else
      by_dependences(m, tiles, n);
  }
}
#pragma omp end declare target

// Symmetric, with a diagonal that outweighs the rest.
static void fill(double *m, int tiles, int n) {
  int order = tiles * n;
  for (int i = 0; i < order; i++)
    for (int j = 0; j < order; j++)
      TILE(i / n, j / n)[i % n * n + j % n] = i == j ? order : 1.0 / (1 + abs(i - j));
}

static double timed(double *m, size_t words, int tiles, int n, int how, int device) {
  fill(m, tiles, n);
  double begin = omp_get_wtime();
#pragma omp target map(tofrom : m[0 : words]) device(device)
  factorize(m, tiles, n, how);
  return omp_get_wtime() - begin;
}

// Of the lower half, tile by tile.
static int differ(double *m, const double *right, int tiles, int n) {
  const double *wanted = right;
  for (int i = 0; i < tiles; i++)
    for (int j = 0; j <= i; j++) {
      size_t at = (size_t)(TILE(i, j) - m);
      if (memcmp(m + at, wanted + at, (size_t)n * (size_t)n * sizeof *m) != 0) return 1;
    }
  return 0;
}

int main(int argc, char **argv) {
  int tiles = argc > 1 ? atoi(argv[1]) : 16, n = argc > 2 ? atoi(argv[2]) : 32;
  size_t words = (size_t)tiles * (size_t)tiles * (size_t)n * (size_t)n;
  if (omp_get_num_devices() == 0) {
    fprintf(stderr, "cholesky: there is no device\n");
    return 1;
  }
  double *right = malloc(words * sizeof *right), *m = malloc(words * sizeof *m);
  fill(right, tiles, n);
  one_thread(right, tiles, n);
  timed(m, words, tiles, n, BY_DEPENDENCES, 0);
  for (int how = ALONE; how <= BY_DEPENDENCES + 1; how++) {
    int on_host = how > BY_DEPENDENCES;
    double seconds = timed(m, words, tiles, n, on_host ? BY_DEPENDENCES : how, on_host ? omp_get_initial_device() : 0);
    if (differ(m, right, tiles, n)) {
      fprintf(stderr, "cholesky: not what the host has\n");
      return 1;
    }
    printf("%.4f%s", seconds, on_host ? "\n" : " ");
  }
  return 0;
}
