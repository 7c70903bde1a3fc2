// SPDX-License-Identifier: Apache-2.0
// Pthreads that end by return, by pthread_exit and by cancellation, several at a time, while others
// are inside regions; and one that opens its first region in the destructor of a key.
#include <pthread.h>
#include <stdatomic.h>

#include "use_openmp.h"

static int threads;
static pthread_key_t key;
static atomic_int destroyed;

static void open_at_end(void *argument) {
  (void)argument;
  use_openmp(2);
  destroyed++;
}

static void *end_somehow(void *argument) {
  int id = (int)(size_t)argument;
  if (id % 2) use_openmp(threads);
  pthread_setspecific(key, argument);
  if (id % 3 == 0) pthread_exit(argument);
  if (id % 3 == 1) {
    for (;;) sleep(1);
  }
  return argument;
}

int main(void) {
  threads = omp_get_max_threads() > 16 ? 16 : omp_get_max_threads();
  EXPECT_EQ(pthread_key_create(&key, open_at_end), 0);
  for (int round = 0; round < 10; round++) {
    pthread_t started[9];
    for (size_t i = 0; i < 9; i++)
      EXPECT_EQ(pthread_create(&started[i], NULL, end_somehow, (void *)(i + 1)), 0);
    use_openmp(threads);
    for (size_t i = 0; i < 9; i++) {
      void *result;
      if ((i + 1) % 3 == 1) pthread_cancel(started[i]);
      pthread_join(started[i], &result);
      EXPECT(result == ((i + 1) % 3 == 1 ? PTHREAD_CANCELED : (void *)(i + 1)), "pthread %zu", i);
    }
  }
  EXPECT(destroyed >= 60, "%d", destroyed);
  return 0;
}
