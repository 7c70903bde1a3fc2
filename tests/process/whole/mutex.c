// SPDX-License-Identifier: Apache-2.0
// Mutexes that know their owner, held over waits: nobody else gets them, and their owner may lock and
// unlock them.
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <threads.h>

#include "waits.h"

static pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_mutex_t checking = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
static mtx_t standard;
static int holder;

static void check(int number, const char *where) {
  int again = pthread_mutex_trylock(&recursive), third = mtx_trylock(&standard);
  EXPECT(again == (number == holder ? 0 : EBUSY), "thread %d gets %d of %d's: %s", number, again,
         holder, where);
  EXPECT(third == (number == holder ? thrd_success : thrd_busy), "thread %d: %s", number, where);
  if (again == 0) pthread_mutex_unlock(&recursive);
  if (third == thrd_success) mtx_unlock(&standard);
  if (number == holder) return;
  int refused = pthread_mutex_unlock(&checking);
  EXPECT(refused == EPERM, "thread %d unlocks what %d holds: %d, %s", number, holder, refused, where);
}

int main(void) {
  omp_set_dynamic(0);
  mtx_init(&standard, mtx_plain | mtx_recursive);
  for (int round = 0; round < 20; round++) {
    holder = round % omp_get_max_threads();
#pragma omp parallel
    {
      int own = omp_get_thread_num();
      if (own == holder) {
        EXPECT_EQ(pthread_mutex_lock(&recursive), 0);
        EXPECT_EQ(pthread_mutex_lock(&checking), 0);
        EXPECT_EQ(mtx_lock(&standard), thrd_success);
      }
#pragma omp barrier
      wait_in_many_ways(check);
#pragma omp barrier
      if (own == holder) {
        EXPECT_EQ(pthread_mutex_unlock(&recursive), 0);
        EXPECT_EQ(pthread_mutex_unlock(&checking), 0);
        EXPECT_EQ(mtx_unlock(&standard), thrd_success);
      }
    }
  }
  return 0;
}
