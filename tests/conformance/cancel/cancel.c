// SPDX-License-Identifier: Apache-2.0
// With OMP_CANCELLATION=true a region is left early and whole: parallel, for, sections, taskgroup;
// without it cancel does nothing (OpenMP 5.2 §16).
#include <omp.h>
#include <string.h>
#include "expect.h"

enum { trips = 2000 };

static int active;

static void check_parallel(int n) {
  int passed = 0, cancelled = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == n - 1) {
#pragma omp atomic
      cancelled++;
#pragma omp cancel parallel
    }
#pragma omp barrier
#pragma omp atomic
    passed++;
  }
  EXPECT_EQ(cancelled, 1);
  EXPECT_EQ(passed, active ? 0 : n);
}

static void check_points(int n) {
  int passed = 0;
#pragma omp parallel
  {
    if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
    }
    while (active) {
#pragma omp cancellation point parallel
      usleep(50);
    }
#pragma omp atomic
    passed++;
  }
  EXPECT_EQ(passed, active ? 0 : n);
}

static void check_for(int kind) {
  int runs = 0, after = 0, n = 0;
#pragma omp parallel reduction(+ : runs, after, n)
  {
    n++;
    if (kind == 0) {
#pragma omp for schedule(static)
      for (int i = 0; i < trips; i++) {
#pragma omp cancel for
        runs++;
      }
    } else if (kind == 1) {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < trips; i++) {
        if (i == 5) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
        runs++;
      }
    } else {
#pragma omp for schedule(guided)
      for (unsigned long long i = 0; i < trips; i++) {
#pragma omp cancel for if (i == trips + 1)
        runs++;
      }
    }
    after++;
  }
  EXPECT_EQ(after, n);
  if (!active || kind == 2) EXPECT_EQ(runs, trips);
  if (active && kind == 0) EXPECT_EQ(runs, 0);
  if (active && kind == 1) EXPECT(runs < trips, "all %d ran", runs);
}

static void check_sections(void) {
  int reached = 0, after = 0, n = 0;
#pragma omp parallel reduction(+ : reached, after, n)
  {
    n++;
#pragma omp sections
    {
#pragma omp section
      {
#pragma omp cancel sections
        reached++;
      }
#pragma omp section
      {
#pragma omp cancellation point sections
        reached += 0;
      }
    }
    after++;
  }
  EXPECT_EQ(after, n);
  EXPECT_EQ(reached, active ? 0 : 1);
}

static void check_taskgroup(void) {
  int ran = 0, outside = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp task shared(outside)
    outside++;
#pragma omp taskgroup
    {
#pragma omp task shared(ran) if (0)
      {
#pragma omp cancel taskgroup
#pragma omp atomic
        ran++;
      }
      for (int i = 0; i < 50; i++) {
#pragma omp task shared(ran)
        {
#pragma omp cancellation point taskgroup
#pragma omp atomic
          ran++;
        }
      }
    }
    EXPECT_EQ(ran, active ? 0 : 51);
#pragma omp taskwait
  }
  EXPECT_EQ(outside, 1);
}

int main(void) {
  const char *setting = getenv("OMP_CANCELLATION");
  active = setting && strcmp(setting, "true") == 0;
  EXPECT_EQ(omp_get_cancellation(), active);
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  for (int round = 0; round < 5; round++) {
    check_parallel(n);
    check_points(n);
    for (int kind = 0; kind < 3; kind++) check_for(kind);
    check_sections();
    check_taskgroup();
  }
  return 0;
}
