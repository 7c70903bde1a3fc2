// SPDX-License-Identifier: Apache-2.0
// Several pthreads open a region each, and the members of one spin for the members of another.
#include <omp.h>
#include <pthread.h>
#include "expect.h"
#include "spin.h"

enum { pthreads = 4 };

static int released[pthreads * 64 + 1], size;

static void *open_region(void *argument) {
  int id = (int)(size_t)argument;
  omp_set_dynamic(0);
#pragma omp parallel num_threads(size)
  {
    int place = omp_get_thread_num() * pthreads + id;
    spin_until_set(&released[place + 1]);
    set_flag(&released[place]);
  }
  return NULL;
}

int main(void) {
  int n = omp_get_max_threads();
  size = n >= 16 ? n / 8 : n;
  pthread_t threads[pthreads];
  set_flag(&released[size * pthreads]);
  for (size_t t = 0; t < pthreads; t++)
    EXPECT_EQ(pthread_create(&threads[t], NULL, open_region, (void *)t), 0);
  for (int t = 0; t < pthreads; t++) pthread_join(threads[t], NULL);
  EXPECT_EQ(released[0], 1);
  return 0;
}
