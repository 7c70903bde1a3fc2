// SPDX-License-Identifier: Apache-2.0
// Eight pthreads open regions at once, with loops, tasks, criticals, nested teams and barriers; some
// end while others run, and new ones come.
#include <omp.h>
#include <pthread.h>
#include "expect.h"

static long critical_total;

static void *open_regions(void *argument) {
  int id = (int)(size_t)argument, n = omp_get_max_threads();
  if (n > 16) n = 16;
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int region = 0; region < 5; region++) {
    int sum = 0, tasks = 0;
#pragma omp parallel num_threads(1 + (n + id + region) % n) reduction(+ : sum) shared(tasks)
    {
#pragma omp for schedule(dynamic, 3)
      for (int i = 0; i < 100; i++) sum += i + id;
#pragma omp critical(pthreads)
      critical_total++;
#pragma omp single
      for (int i = 0; i < 20; i++) {
#pragma omp task shared(tasks)
        {
#pragma omp atomic
          tasks++;
        }
      }
      EXPECT_EQ(tasks, 20);
#pragma omp parallel num_threads(2) reduction(+ : sum)
      sum += 0;
    }
    EXPECT_EQ(sum, 4950 + 100 * id);
    EXPECT_EQ(omp_get_level(), 0);
  }
  return argument;
}

int main(void) {
  pthread_t threads[8];
  for (int round = 0; round < 3; round++) {
    for (size_t t = 0; t < 8; t++)
      EXPECT_EQ(pthread_create(&threads[t], NULL, open_regions, (void *)t), 0);
    if (round % 2) open_regions((void *)8);
    for (size_t t = 0; t < 8; t++) {
      void *result;
      pthread_join(threads[t], &result);
      EXPECT_EQ((size_t)result, t);
    }
  }
  EXPECT(critical_total > 0, "%ld", critical_total);
  return 0;
}
