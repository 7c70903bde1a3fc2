// SPDX-License-Identifier: Apache-2.0
// Calls a BLAS that is parallel itself from inside a parallel region, as simulation codes do:
// every thread multiplies matrices of order 256 of its own. Prints calls, elapsed and CPU
// seconds in the regions (the first one, which warms up, left out), and how many products were wrong
// or threads missing. Usage: dgemm THREADS SECONDS
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { kOrder = 256, kCallsPerRegion = 4 };

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc);

typedef struct {
  double *a, *b, *product, *expected;
} Problem;

static double *new_matrix(void) {
  double *matrix = aligned_alloc(64, sizeof(double) * kOrder * kOrder);
  if (matrix == NULL) abort();
  return matrix;
}

// Small integers: every product is exact, in whatever order it is summed.
static void fill(double *matrix, unsigned seed) {
  for (int i = 0; i < kOrder * kOrder; ++i) {
    seed = seed * 1664525u + 1013904223u;
    matrix[i] = (double)(seed >> 24) - 128.0;
  }
}

static void multiply_plainly(const double *a, const double *b, double *c) {
  memset(c, 0, sizeof(double) * kOrder * kOrder);
  for (int j = 0; j < kOrder; ++j)
    for (int l = 0; l < kOrder; ++l)
      for (int i = 0; i < kOrder; ++i) c[j * kOrder + i] += a[l * kOrder + i] * b[j * kOrder + l];
}

static Problem new_problem(unsigned number) {
  Problem p = {new_matrix(), new_matrix(), new_matrix(), new_matrix()};
  fill(p.a, 2 * number + 1);
  fill(p.b, 2 * number + 2);
  multiply_plainly(p.a, p.b, p.expected);
  return p;
}

static void call_dgemm(const Problem *p) {
  const int order = kOrder;
  const double one = 1.0, zero = 0.0;
  dgemm_("N", "N", &order, &order, &order, &one, p->a, &order, p->b, &order, &zero, p->product,
         &order);
}

static double cpu_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// Returns how many threads the team had.
static int run_region(const Problem *problems, int threads) {
  int team = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp single
    team = omp_get_num_threads();
    for (int call = 0; call < kCallsPerRegion; ++call) call_dgemm(&problems[omp_get_thread_num()]);
  }
  return team;
}

int main(int argc, char **argv) {
  const int threads = argc > 2 ? atoi(argv[1]) : 0;
  const double seconds = argc > 2 ? atof(argv[2]) : 0;
  if (threads < 1 || seconds <= 0) {
    fprintf(stderr, "usage: %s THREADS SECONDS\n", argv[0]);
    return 2;
  }
  omp_set_max_active_levels(2);
  Problem *problems = malloc(sizeof(Problem) * (size_t)threads);
  if (problems == NULL) abort();
  for (int i = 0; i < threads; ++i) problems[i] = new_problem((unsigned)i);

  run_region(problems, threads);
  long calls = 0, wrong = 0;
  double elapsed = 0, cpu = 0;
  while (elapsed < seconds) {
    for (int i = 0; i < threads; ++i)
      memset(problems[i].product, 0xff, sizeof(double) * kOrder * kOrder);
    const double start = omp_get_wtime(), cpu_start = cpu_seconds();
    const int team = run_region(problems, threads);
    elapsed += omp_get_wtime() - start;
    cpu += cpu_seconds() - cpu_start;
    calls += (long)threads * kCallsPerRegion;
    wrong += threads - team;
    for (int i = 0; i < threads; ++i)
      wrong += memcmp(problems[i].product, problems[i].expected,
                      sizeof(double) * kOrder * kOrder) != 0;
  }
  printf("%ld %.6f %.6f %ld\n", calls, elapsed, cpu, wrong);
  return 0;
}
