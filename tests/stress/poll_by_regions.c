// SPDX-License-Identifier: Apache-2.0
// Members that poll for what another one will do, by regions of their own: each of these is a step for
// whoever looks at steps. All but one wait for a flag that the last member sets; at the begin of a region,
// after a barrier, from iterations and from sections.
#include <omp.h>
#include "expect.h"
#include "spin.h"

static int flag, sum;

static int is_set(void) {
  int seen = 0;
#pragma omp parallel for num_threads(2) reduction(+ : seen)
  for (int i = 0; i < 4; i++) seen += __atomic_load_n(&flag, __ATOMIC_ACQUIRE);
  return seen == 4;
}

static void wait_or_set(int sets) {
  if (sets)
    set_flag(&flag);
  else
    while (!is_set()) {
    }
#pragma omp atomic
  sum++;
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  for (int last = 0; last < 2; last++) {
    flag = sum = 0;
#pragma omp parallel num_threads(n)
    wait_or_set(omp_get_thread_num() == (last ? n - 1 : 0));
    EXPECT_EQ(sum, n);
    flag = sum = 0;
#pragma omp parallel num_threads(n)
    {
#pragma omp barrier
      wait_or_set(omp_get_thread_num() == (last ? n - 1 : 0));
    }
    EXPECT_EQ(sum, n);
  }
  flag = sum = 0;
#pragma omp parallel for num_threads(n) schedule(dynamic, 1)
  for (int i = 0; i < n; i++) wait_or_set(i == n - 1);
  EXPECT_EQ(sum, n);
  if (n < 4) return 0;
  flag = sum = 0;
#pragma omp parallel sections num_threads(n)
  {
    wait_or_set(0);
#pragma omp section
    wait_or_set(0);
#pragma omp section
    wait_or_set(0);
#pragma omp section
    wait_or_set(1);
  }
  EXPECT_EQ(sum, 4);
  return 0;
}
