// SPDX-License-Identifier: Apache-2.0
// Calls of a BLAS for OpenMP: how long each takes, by routine and order of the matrices. All callers call at once.
// usage: calls SINGLE|PTHREADS|NESTED SECONDS: from one thread, from four pthreads, from four members of a region; as
// many calls of each as one thread makes in that time, 10 to 100. Prints routine, order, callers, then the median, the
// largest and the mean time of a call in µs; the mean goes by the wall clock and all callers' calls.
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { callers_at_most = 4, calls_at_most = 100, calls_at_least = 10, warm_up = 5 };

void dgemm_(const char *, const char *, const int *, const int *, const int *, const double *, const double *,
            const int *, const double *, const int *, const double *, double *, const int *);
void dsyrk_(const char *, const char *, const int *, const int *, const double *, const double *, const int *,
            const double *, double *, const int *);
void dgetrf_(const int *, const int *, double *, const int *, int *, int *);

enum routine { dgemm, dsyrk, dgetrf, routines };
static const char *const names[] = {"dgemm", "dsyrk", "dgetrf"};
static const int orders[] = {50, 100, 200, 300, 500, 1000};

struct matrices {
  double *a, *b, *c;
  int *pivots;
};

struct series {
  enum routine routine;
  int order, calls;
  struct matrices matrices;
  double seconds[calls_at_most];
};

static void *room(size_t bytes) {
  void *memory = malloc(bytes);
  if (memory == NULL) exit((perror("calls"), 1));
  return memory;
}

static struct matrices make(int n) {
  size_t entries = (size_t)n * (size_t)n;
  struct matrices made = {room(entries * sizeof(double)), room(entries * sizeof(double)),
                          room(entries * sizeof(double)), room((size_t)n * sizeof(int))};
  unsigned state = 7;
  for (size_t i = 0; i < 2 * entries; i++) {
    state = state * 1664525u + 1013904223u;
    (i < entries ? made.a : made.b)[i % entries] = (double)state / 4294967296.0 - 0.5;
  }
  return made;
}

static void discard(struct matrices *m) {
  free(m->a);
  free(m->b);
  free(m->c);
  free(m->pivots);
}

static double call(enum routine routine, struct matrices *m, int n) {
  double one = 1, zero = 0;
  int info;
  if (routine == dgetrf) memcpy(m->c, m->a, sizeof(double) * (size_t)n * (size_t)n);
  double begin = omp_get_wtime();
  if (routine == dgemm) dgemm_("N", "N", &n, &n, &n, &one, m->a, &n, m->b, &n, &zero, m->c, &n);
  if (routine == dsyrk) dsyrk_("L", "N", &n, &n, &one, m->a, &n, &zero, m->c, &n);
  if (routine == dgetrf) dgetrf_(&n, &n, m->c, &n, m->pivots, &info);
  return omp_get_wtime() - begin;
}

static void run(struct series *series) {
  for (int i = 0; i < series->calls; i++)
    series->seconds[i] = call(series->routine, &series->matrices, series->order);
}

static void *run_in_pthread(void *series) {
  run(series);
  return NULL;
}

static void run_all(const char *mode, struct series *series, int callers) {
  pthread_t threads[callers_at_most];
  if (strcmp(mode, "PTHREADS") == 0) {
    for (int i = 0; i < callers; i++)
      if (pthread_create(&threads[i], NULL, run_in_pthread, &series[i]) != 0) exit((perror("calls"), 1));
    for (int i = 0; i < callers; i++) pthread_join(threads[i], NULL);
  } else if (callers == 1) {
    run(series);
  } else {
#pragma omp parallel num_threads(callers)
    if (omp_get_thread_num() < callers) run(&series[omp_get_thread_num()]);
  }
}

static int rising(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void report(const struct series *series, int callers, double elapsed) {
  double all[callers_at_most * calls_at_most];
  int calls = 0;
  for (int i = 0; i < callers; calls += series[i++].calls)
    memcpy(all + calls, series[i].seconds, sizeof(double) * (size_t)series[i].calls);
  qsort(all, (size_t)calls, sizeof *all, rising);
  printf("%s %d %d %.2f %.2f %.2f\n", names[series->routine], series->order, callers, all[calls / 2] * 1e6,
         all[calls - 1] * 1e6, elapsed / calls * 1e6);
}

// How many calls take so long.
static int count_calls(struct series *series, double budget) {
  double begin = omp_get_wtime();
  for (int i = 0; i < warm_up; i++) call(series->routine, &series->matrices, series->order);
  double calls = budget * warm_up / (omp_get_wtime() - begin);
  return calls < calls_at_least ? calls_at_least : calls > calls_at_most ? calls_at_most : (int)calls;
}

static void measure(const char *mode, enum routine routine, int order, double budget) {
  static struct series series[callers_at_most];
  int callers = strcmp(mode, "SINGLE") == 0 ? 1 : callers_at_most;
  for (int i = 0; i < callers; i++) {
    series[i] = (struct series){.routine = routine, .order = order, .matrices = make(order)};
    series[i].calls = i == 0 ? count_calls(series, budget) : series[0].calls;
  }
  double begin = omp_get_wtime();
  run_all(mode, series, callers);
  report(series, callers, omp_get_wtime() - begin);
  for (int i = 0; i < callers; i++) discard(&series[i].matrices);
}

int main(int argc, char **argv) {
  const char *mode = argc == 3 ? argv[1] : "";
  int known = strcmp(mode, "SINGLE") == 0 || strcmp(mode, "PTHREADS") == 0 || strcmp(mode, "NESTED") == 0;
  double budget = argc == 3 ? atof(argv[2]) : 0;
  if (!known || budget <= 0) {
    fputs("usage: calls SINGLE|PTHREADS|NESTED SECONDS\n", stderr);
    return 2;
  }
  for (enum routine routine = dgemm; routine < routines; routine++)
    for (size_t i = 0; i < sizeof orders / sizeof *orders; i++) measure(mode, routine, orders[i], budget);
  return 0;
}
