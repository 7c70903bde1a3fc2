// SPDX-License-Identifier: Apache-2.0
// A matrix product, an LU factorisation and a Fourier transform by MKL, checked, and the least time of
// each in milliseconds.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { kOrder = 600, kLength = 1 << 18, kRounds = 15 };

// MKL's own headers are not in its run-time package.
void cblas_dgemm(int layout, int trans_a, int trans_b, int m, int n, int k, double alpha,
                 const double *a, int lda, const double *b, int ldb, double beta, double *c, int ldc);
int LAPACKE_dgetrf(int layout, int m, int n, double *a, int lda, int *pivots);
int LAPACKE_dgetrs(int layout, char trans, int n, int nrhs, const double *a, int lda,
                   const int *pivots, double *b, int ldb);
long DftiCreateDescriptor(void **handle, int precision, int domain, long dimensions, ...);
long DftiCommitDescriptor(void *handle);
long DftiComputeForward(void *handle, void *data, ...);
long DftiComputeBackward(void *handle, void *data, ...);
long DftiFreeDescriptor(void **handle);

enum { kRowMajor = 101, kNoTrans = 111, kDftiComplex = 32, kDftiDouble = 36 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double random_value(void) { return rand() / (double)RAND_MAX - 0.5; }

static double *random_values(int count) {
  double *values = malloc(sizeof(double) * (size_t)count);
  for (int i = 0; i < count; i++) values[i] = random_value();
  return values;
}

static void report(const char *what, double milliseconds, double error) {
  printf("%s %.4f %.2e\n", what, milliseconds, error);
  if (!(error < 1e-8)) exit(1);
}

static void product(const double *a, const double *b) {
  double *c = malloc(sizeof(double) * kOrder * kOrder), least = INFINITY, error = 0;
  for (int round = 0; round < kRounds; round++) {
    double start = now();
    cblas_dgemm(kRowMajor, kNoTrans, kNoTrans, kOrder, kOrder, kOrder, 1, a, kOrder, b, kOrder, 0,
                c, kOrder);
    least = fmin(least, now() - start);
  }
  for (int sample = 0; sample < 300; sample++) {
    int i = rand() % kOrder, j = rand() % kOrder;
    double sum = 0;
    for (int k = 0; k < kOrder; k++) sum += a[i * kOrder + k] * b[k * kOrder + j];
    error = fmax(error, fabs(sum - c[i * kOrder + j]));
  }
  report("dgemm", least, error);
  free(c);
}

static void factorisation(const double *a) {
  double *lu = malloc(sizeof(double) * kOrder * kOrder), least = INFINITY, error = 0;
  int *pivots = malloc(sizeof(int) * kOrder);
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < kOrder * kOrder; i++) lu[i] = a[i];
    double start = now();
    if (LAPACKE_dgetrf(kRowMajor, kOrder, kOrder, lu, kOrder, pivots) != 0) exit(1);
    least = fmin(least, now() - start);
  }
  double *x = malloc(sizeof(double) * kOrder);
  for (int i = 0; i < kOrder; i++) {
    x[i] = 0;
    for (int j = 0; j < kOrder; j++) x[i] += a[i * kOrder + j];
  }
  LAPACKE_dgetrs(kRowMajor, 'N', kOrder, 1, lu, kOrder, pivots, x, 1);
  for (int i = 0; i < kOrder; i++) error = fmax(error, fabs(x[i] - 1));
  report("dgetrf", least, error);
  free(x), free(lu), free(pivots);
}

static void transform(void) {
  double *original = random_values(2 * kLength), *data = malloc(sizeof(double) * 2 * kLength);
  double least = INFINITY, error = 0;
  void *handle;
  if (DftiCreateDescriptor(&handle, kDftiDouble, kDftiComplex, 1, (long)kLength) != 0) exit(1);
  DftiCommitDescriptor(handle);
  for (int round = 0; round < kRounds; round++) {
    for (int i = 0; i < 2 * kLength; i++) data[i] = original[i];
    double start = now();
    DftiComputeForward(handle, data);
    least = fmin(least, now() - start);
    DftiComputeBackward(handle, data);
  }
  for (int i = 0; i < 2 * kLength; i++) error = fmax(error, fabs(data[i] / kLength - original[i]));
  DftiFreeDescriptor(&handle);
  report("fft", least, error);
  free(original), free(data);
}

int main(void) {
  double *a = random_values(kOrder * kOrder), *b = random_values(kOrder * kOrder);
  product(a, b);
  factorisation(a);
  transform();
  free(a), free(b);
  return 0;
}
