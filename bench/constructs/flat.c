// SPDX-License-Identifier: Apache-2.0
// Regions and synchronisation constructs, in the manner of EPCC's microbenchmarks (J. M. Bull,
// "Measuring Synchronisation and Scheduling Overheads in OpenMP", EWOMP 1999). Cases inside a region
// repeat the construct in it, so that the region's own cost vanishes.
#include <omp.h>

#include "tables.h"

static double parallel(long inner) {
  clear_counters();
  double t = now();
  for (long r = 0; r < inner; r++) {
#pragma omp parallel
    counters[omp_get_thread_num()].n++;
  }
  t = now() - t;
  return checked(t, counters[0].n == inner && sum_counters() == inner * team_size);
}

static double parallel_for(long inner) {
  clear_counters();
  double t = now();
  for (long r = 0; r < inner; r++) {
#pragma omp parallel for
    for (int i = 0; i < team_size; i++) counters[i].n++;
  }
  t = now() - t;
  return checked(t, sum_counters() == inner * team_size);
}

// From the encountering thread's arrival until the last member has begun (GLTO, Figure 7).
static double assignment(long inner) {
  static double begun[MAX_THREADS];
  double total = 0.0;
  int64_t members = 0;
  for (long r = 0; r < inner; r++) {
    double arrival = now(), last = 0.0;
#pragma omp parallel reduction(+ : members)
    {
      begun[omp_get_thread_num()] = now();
      members += 1;
    }
    for (int i = 0; i < team_size; i++) last = fmax(last, begun[i]);
    total += last - arrival;
  }
  return checked(total, members == inner * team_size);
}

// Every member sees what its right neighbour wrote before the barrier.
static bool barrier_holds(void) {
  enum { ROUNDS = 20 };
  int early = 0;
  clear_counters();
#pragma omp parallel reduction(+ : early)
  {
    int me = omp_get_thread_num(), right = (me + 1) % team_size;
    for (int r = 1; r <= ROUNDS; r++) {
      counters[me].n = r;
#pragma omp barrier
      early += counters[right].n != r;
#pragma omp barrier
    }
  }
  return early == 0;
}

static double barrier(long inner) {
  bool holds = barrier_holds();
  double t = now();
#pragma omp parallel
  for (long r = 0; r < inner; r++) {
#pragma omp barrier
  }
  t = now() - t;
  return checked(t, holds);
}

static double single(long inner) {
  int64_t n = 0;
  double t = now();
#pragma omp parallel
  for (long r = 0; r < inner; r++) {
#pragma omp single
    n++;
  }
  t = now() - t;
  return checked(t, n == inner);
}

static double copyprivate(long inner) {
  int64_t n = 0, seen = 0;
  double t = now();
#pragma omp parallel reduction(+ : seen)
  for (long r = 0; r < inner; r++) {
    int64_t mine;
#pragma omp single copyprivate(mine)
    mine = ++n;
    seen += mine == r + 1;
  }
  t = now() - t;
  return checked(t, n == inner && seen == inner * team_size);
}

static double sections(long inner) {
  clear_counters();
  double t = now();
#pragma omp parallel
  for (long r = 0; r < inner; r++) {
#pragma omp sections
    {
#pragma omp section
      counters[0].n++;
#pragma omp section
      counters[1].n++;
    }
  }
  t = now() - t;
  return checked(t, counters[0].n == inner && counters[1].n == inner);
}

static double critical(long inner) {
  int64_t n = 0;
  double t = now();
#pragma omp parallel
  for (long r = 0; r < inner; r++) {
#pragma omp critical
    n++;
  }
  t = now() - t;
  return checked(t, n == inner * team_size);
}

static double lock(long inner) {
  int64_t n = 0;
  omp_lock_t guard;
  omp_init_lock(&guard);
  double t = now();
#pragma omp parallel
  for (long r = 0; r < inner; r++) {
    omp_set_lock(&guard);
    n++;
    omp_unset_lock(&guard);
  }
  t = now() - t;
  omp_destroy_lock(&guard);
  return checked(t, n == inner * team_size);
}

static double atomic(long inner) {
  double n = 0.0;
  double t = now();
#pragma omp parallel
  for (long r = 0; r < inner; r++) {
#pragma omp atomic
    n += 1.0;
  }
  t = now() - t;
  return checked(t, n == (double)(inner * team_size));
}

// A type that no instruction updates atomically: the runtime's fallback.
static double atomic_fallback(long inner) {
  long double n = 0.0L;
  double t = now();
#pragma omp parallel
  for (long r = 0; r < inner; r++) {
#pragma omp atomic
    n += 1.0L;
  }
  t = now() - t;
  return checked(t, n == (long double)(inner * team_size));
}

static double reduction(long inner) {
  int64_t n = 0;
  double t = now();
  for (long r = 0; r < inner; r++) {
#pragma omp parallel reduction(+ : n)
    n += 1;
  }
  t = now() - t;
  return checked(t, n == inner * team_size);
}

static double master_nobody(long inner) {
  clear_counters();
  double t = now();
  for (long r = 0; r < inner; r++) {
#pragma omp parallel if (0)
    counters[omp_get_thread_num()].n++;
  }
  t = now() - t;
  return checked(t, counters[0].n == inner);
}

const Case flat_cases[] = {
    {.name = "parallel", .run = parallel, .ops = 1},
    {.name = "assignment", .run = assignment, .ops = 1},
    {.name = "parallel_if0", .run = master_nobody, .ops = 1},
    {.name = "parallel_for", .run = parallel_for, .ops = 1},
    {.name = "reduction", .run = reduction, .ops = 1},
    {.name = "barrier", .run = barrier, .ops = 1},
    {.name = "single", .run = single, .ops = 1},
    {.name = "copyprivate", .run = copyprivate, .ops = 1},
    {.name = "sections", .run = sections, .ops = 1},
    {.name = "critical", .run = critical, .ops = 1, .per_thread = true},
    {.name = "lock", .run = lock, .ops = 1, .per_thread = true},
    {.name = "atomic", .run = atomic, .ops = 1, .per_thread = true},
    {.name = "atomic_fallback", .run = atomic_fallback, .ops = 1, .per_thread = true},
    {0},
};
