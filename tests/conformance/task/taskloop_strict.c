// SPDX-License-Identifier: Apache-2.0
// taskloop with the strict modifier makes exactly the tasks asked for; parallel masked taskloop
// (OpenMP 5.2 §12.6).
#include <omp.h>
#include "expect.h"

enum { trips = 103 };

static int chunk_of[trips];

static int count_tasks(void) {
  int tasks = 1;
  for (int i = 1; i < trips; i++) tasks += chunk_of[i] != chunk_of[i - 1];
  return tasks;
}

int main(void) {
  int ticket = 0, own = -1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskloop grainsize(strict : 10) firstprivate(own) shared(ticket)
    for (int i = 0; i < trips; i++) {
      if (own < 0) own = __atomic_fetch_add(&ticket, 1, __ATOMIC_RELAXED);
      chunk_of[i] = own;
    }
    EXPECT_EQ(ticket, 11);
    EXPECT_EQ(count_tasks(), 11);
    EXPECT(chunk_of[99] != chunk_of[100] && chunk_of[100] == chunk_of[102], "the last chunk");
    ticket = 0;
#pragma omp taskloop num_tasks(strict : 9) firstprivate(own) shared(ticket)
    for (int i = 0; i < trips; i++) {
      if (own < 0) own = __atomic_fetch_add(&ticket, 1, __ATOMIC_RELAXED);
      chunk_of[i] = own;
    }
    EXPECT_EQ(ticket, 9);
    EXPECT_EQ(count_tasks(), 9);
  }
  int sum = 0;
#pragma omp parallel masked taskloop reduction(+ : sum)
  for (int i = 0; i < trips; i++) sum += i;
  EXPECT_EQ(sum, trips * (trips - 1) / 2);
  return 0;
}
