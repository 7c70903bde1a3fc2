// SPDX-License-Identifier: Apache-2.0
// A program that chooses policies as it goes, and says loads: teams of all sizes, nested ones, with
// barriers, tasks and cancellation points, have the right members whoever places them.
#include <omp.h>
#include <pthread.h>
#include "expect.h"

extern int tulle_set_policy(const char *name) __attribute__((weak));
extern void tulle_set_load(double load) __attribute__((weak));

static const char *const names[] = {"spread",  "affinity", "scatter",    "shared", "random", NULL,
                                    "Default", "spread:4", "scatter:2", "SHARED"};

static void use_team(int n, int inner) {
  int began[n], sum = 0, tasks = 0;
  for (int i = 0; i < n; i++) began[i] = 0;
#pragma omp parallel num_threads(n) reduction(+ : sum)
  {
    int me = omp_get_thread_num();
    began[me]++;
    EXPECT_EQ(omp_get_num_threads(), n);
    if (tulle_set_load) tulle_set_load(1 + me);
    EXPECT_EQ(tulle_set_policy ? tulle_set_policy("shared") : 0, 0);
#pragma omp parallel num_threads(inner) reduction(+ : sum)
    {
      sum += 1 + omp_get_thread_num();
#pragma omp barrier
      EXPECT_EQ(omp_get_ancestor_thread_num(1), me);
      EXPECT_EQ(omp_get_level(), 2);
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 10; i++) sum += i;
    }
#pragma omp single
    for (int i = 0; i < 20; i++) {
#pragma omp task
      {
#pragma omp atomic
        tasks++;
      }
    }
  }
  for (int i = 0; i < n; i++) EXPECT_EQ(began[i], 1);
  EXPECT_EQ(sum, n * (inner * (inner + 1) / 2 + 45));
  EXPECT_EQ(tasks, 20);
}

static void *choose_and_use(void *argument) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int count = sizeof names / sizeof *names, most = omp_get_max_threads() < 20 ? omp_get_max_threads() : 20;
  for (int i = 0; i < count; i++) {
    if (tulle_set_policy) EXPECT_EQ(tulle_set_policy(names[(i + (int)(size_t)argument) % count]), 1);
    for (int n = 1; n <= most; n += 1 + n / 3) use_team(n, 1 + (n + i) % 5);
  }
  return NULL;
}

int main(void) {
  if (tulle_set_policy) {
    EXPECT_EQ(tulle_set_policy("none such"), 0);
    EXPECT_EQ(tulle_set_policy("spread:much"), 0);
    EXPECT_EQ(tulle_set_policy(""), 0);
  }
  choose_and_use((void *)0);
  pthread_t threads[3];
  for (size_t i = 0; i < 3; i++) pthread_create(&threads[i], NULL, choose_and_use, (void *)(i + 1));
  for (size_t i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  choose_and_use((void *)5);
  return 0;
}
