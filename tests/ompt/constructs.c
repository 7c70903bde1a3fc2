// SPDX-License-Identifier: Apache-2.0
// Every construct that tools are told of, on as many threads as OMP_NUM_THREADS says; see constructs.py for what is
// expected of a tool.
#include <omp.h>
#include <stdio.h>

#include "expect.h"
#include "fibonacci.h"

static int sum;

static void synchronise(void) {
#pragma omp parallel
  {
#pragma omp barrier
#pragma omp single
    ++sum;
#pragma omp critical
#pragma omp atomic
    ++sum;
#pragma omp critical(named)
#pragma omp atomic
    ++sum;
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < 20; ++i) {
#pragma omp atomic
      ++sum;
    }
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < 20; ++i) {
#pragma omp atomic
      ++sum;
    }
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp atomic
        ++sum;
      }
#pragma omp section
      {
#pragma omp atomic
        ++sum;
      }
    }
#pragma omp master
#pragma omp atomic
    sum += 0;
  }
  int threads = omp_get_max_threads();
  EXPECT(sum == 1 + 2 * threads + 20 + 20 + 2);
}

static void run_tasks(void) {
  int result = 0, chain = 0, grouped = 0, undeferred = 0, done = 0;
#pragma omp parallel
#pragma omp single
  {
    result = fibonacci(10);
    for (int i = 0; i < 20; ++i) {
#pragma omp task depend(inout : chain) shared(chain)
      ++chain;
    }
#pragma omp taskwait
#pragma omp taskgroup
    {
      for (int i = 0; i < 20; ++i) {
#pragma omp task shared(grouped)
        {
#pragma omp taskyield
#pragma omp atomic
          ++grouped;
        }
      }
    }
#pragma omp task if (0) shared(undeferred)
    ++undeferred;
    for (int i = 0; i < 20; ++i) {
#pragma omp task untied shared(done)
      {
#pragma omp taskyield
#pragma omp task shared(done)
        {
#pragma omp atomic
          ++done;
        }
#pragma omp taskwait
      }
    }
  }
  EXPECT(result == 55 && chain == 20 && grouped == 20 && undeferred == 1 && done == 20);
}

static void share_in_tasks(void) {
  int run = 0, inner = 0, reduced = 0;
#pragma omp parallel
  {
#pragma omp single
    {
#pragma omp taskloop num_tasks(50) shared(run, inner)
      for (int i = 0; i < 100; ++i) {
#pragma omp atomic
        ++run;
        if (i % 25 != 0) continue;
#pragma omp taskloop grainsize(2) shared(inner)
        for (int j = 0; j < 5; ++j) {
#pragma omp taskyield
#pragma omp atomic
          ++inner;
        }
      }
#pragma omp taskloop num_tasks(10) nogroup if (0) shared(run)
      for (int i = 0; i < 10; ++i) {
#pragma omp atomic
        ++run;
      }
#pragma omp taskloop num_tasks(400) untied shared(run)
      for (int i = 0; i < 400; ++i) {
#pragma omp atomic
        ++run;
      }
#pragma omp taskloop reduction(+ : reduced)
      for (int i = 0; i < 100; ++i) ++reduced;
    }
  }
  EXPECT(run == 510 && inner == 20 && reduced == 100);
}

static void follow_iterations(void) {
  int order[40], wrong = 0;
#pragma omp parallel
  {
#pragma omp for ordered schedule(dynamic)
    for (int i = 0; i < 20; ++i) {
#pragma omp ordered
#pragma omp atomic
      ++sum;
    }
#pragma omp for ordered(1) schedule(dynamic)
    for (int i = 0; i < 40; ++i) {
#pragma omp ordered depend(sink : i - 1)
      order[i] = i == 0 ? 1 : order[i - 1] + 1;
#pragma omp ordered depend(source)
    }
#pragma omp for ordered(2) schedule(static, 1) reduction(+ : wrong)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
        wrong += order[0] != 1;
#pragma omp ordered depend(source)
      }
  }
  EXPECT(order[39] == 40 && wrong == 0);
}

static void nest(void) {
  omp_set_max_active_levels(2);
  int members = 0;
#pragma omp parallel num_threads(3)
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
#pragma omp atomic
    ++members;
#pragma omp task shared(members)
    {
#pragma omp atomic
      ++members;
    }
  }
  EXPECT(members == 12);
#pragma omp parallel if (0)
#pragma omp task shared(members)
  ++members;
  EXPECT(members == 13);
}

static void lock(void) {
  omp_lock_t simple;
  omp_nest_lock_t nest;
  omp_init_lock(&simple);
  omp_init_nest_lock(&nest);
  int held = 0, held_nested = 0;
#pragma omp parallel
  {
    omp_set_lock(&simple);
    ++held;
    omp_unset_lock(&simple);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    ++held_nested;
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    while (!omp_test_lock(&simple)) {
    }
    omp_unset_lock(&simple);
  }
  omp_destroy_lock(&simple);
  omp_destroy_nest_lock(&nest);
  EXPECT(held == omp_get_max_threads());
  EXPECT(held_nested == omp_get_max_threads());
}

// Regions of teams end with what they call: compilers make a jump of it.
static void league(void) {
  int members = 0;
#pragma omp teams num_teams(2) thread_limit(3) shared(members)
#pragma omp parallel num_threads(2) shared(members)
  {
#pragma omp atomic
    ++members;
#pragma omp barrier
  }
  EXPECT(members == 4);
  int teams = 0;
#pragma omp target teams distribute num_teams(3) reduction(+ : teams)
  for (int i = 0; i < 3; ++i) ++teams;
  EXPECT(teams == 3);
}

// On the host an initial task of the thread that encounters it; Clang's code calls it without a word.
static void target(void) {
  int members = 0;
#pragma omp target map(tofrom : members)
#pragma omp parallel num_threads(2) shared(members)
  {
#pragma omp barrier
#pragma omp atomic
    ++members;
  }
  EXPECT(members == 2);
}

int main(void) {
  synchronise();
  league();
  target();
  run_tasks();
  share_in_tasks();
  follow_iterations();
  nest();
  lock();
  for (int i = 0; i < 50; ++i) {
#pragma omp parallel
    {
#pragma omp barrier
    }
  }
  return 0;
}
