// SPDX-License-Identifier: Apache-2.0
// schedule(static): one block a thread, sizes within one of each other; schedule(static, c): chunks
// dealt round robin in order of thread number; the same loop twice gives the same owners
// (OpenMP 5.2 §11.5.3).
#include <omp.h>
#include "expect.h"

enum { most = 1000 };

static int owner[most], again[most];

static void check_chunked(int n, int trips, int chunk) {
#pragma omp parallel for schedule(static, chunk)
  for (int i = 0; i < trips; i++) owner[i] = omp_get_thread_num();
  for (int i = 0; i < trips; i++) EXPECT_EQ(owner[i], i / chunk % n);
}

static void check_blocks(int n, int trips) {
  int size[64] = {0};
#pragma omp parallel
  {
#pragma omp for schedule(static) nowait
    for (int i = 0; i < trips; i++) owner[i] = omp_get_thread_num();
#pragma omp for schedule(static)
    for (int i = 0; i < trips; i++) again[i] = omp_get_thread_num();
  }
  for (int i = 0; i < trips; i++) {
    EXPECT_EQ(again[i], owner[i]);
    EXPECT(i == 0 || owner[i] >= owner[i - 1], "iteration %d is out of order", i);
    size[owner[i]]++;
  }
  for (int t = 0; t < n; t++) EXPECT(size[t] <= (trips + n - 1) / n, "thread %d has %d", t, size[t]);
}

static void check_strides(void) {
  for (int step = 1; step < 60; step += 7) {
    long long sum = 0, wanted = 0;
    for (int i = 500; i > -500; i -= step) wanted += 1000 + i;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int i = 500; i > -500; i -= step) sum += 1000 + i;
    EXPECT_EQ(sum, wanted);
    sum = wanted = 0;
    for (long i = -9; i <= 700; i += step) wanted += i * i;
#pragma omp parallel for schedule(static, 3) reduction(+ : sum)
    for (long i = -9; i <= 700; i += step) sum += i * i;
    EXPECT_EQ(sum, wanted);
  }
}

int main(void) {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  for (int trips = 0; trips <= most; trips = trips * 3 + 1) {
    check_blocks(n, trips);
    check_chunked(n, trips, 1);
    check_chunked(n, trips, 7);
    check_chunked(n, trips, most);
  }
  check_strides();
  return 0;
}
