// SPDX-License-Identifier: Apache-2.0
// Tasks that yield until a flag opens, made by a thread that opens it and yields until each has answered: whoever
// yields gives way to what is suspended in its own thread's name, too. Tied and untied, flat and in nested teams.
#include <omp.h>
#include "expect.h"

enum { rounds = 20 };

static void answer(int *flag, int *answers) {
  while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) {
#pragma omp taskyield
  }
  __atomic_add_fetch(answers, 1, __ATOMIC_ACQ_REL);
}

static void meet(int n, int tasks) {
  int flag = 0, answers = 0;
#pragma omp parallel num_threads(n) shared(flag, answers)
#pragma omp single
  {
    for (int i = 0; i < tasks; i++) {
#pragma omp task shared(flag, answers) if (i % 2 == 1)
      if (i % 2 == 1) answer(&flag, &answers);
#pragma omp task shared(flag, answers) untied
      answer(&flag, &answers);
    }
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&answers, __ATOMIC_ACQUIRE) < tasks + tasks / 2) {
#pragma omp taskyield
    }
  }
  EXPECT_EQ(answers, tasks + tasks / 2);
}

static void meet_tied(int n) {
  int flag = 0, answers = 0;
#pragma omp parallel num_threads(n) shared(flag, answers)
#pragma omp single
  {
    for (int i = 0; i < 3; i++) {
#pragma omp task shared(flag, answers)
      answer(&flag, &answers);
    }
    __atomic_store_n(&flag, 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&answers, __ATOMIC_ACQUIRE) < 3) {
#pragma omp taskyield
    }
  }
  EXPECT_EQ(answers, 3);
}

int main(void) {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads();
  if (n == 1) return 0;  // tasks of a team of one may be called at once
  for (int round = 0; round < rounds; round++) {
    meet_tied(n);
    meet(n, 3);
    meet(n, n < 8 ? 2 * n : 16);
#pragma omp parallel num_threads(2)
    meet(n < 8 ? n : 8, 3);
  }
  return 0;
}
