// SPDX-License-Identifier: Apache-2.0
// A key's value is the member's own; no module of the program has thread-local variables.
#include <pthread.h>
#include <stdint.h>

#include "waits.h"

static pthread_key_t key;

static void check(int number, const char *where) {
  intptr_t value = (intptr_t)pthread_getspecific(key);
  EXPECT(value == number + 1, "thread %d has the value %ld: %s", number, (long)value, where);
}

int main(void) {
  omp_set_dynamic(0);
  EXPECT_EQ(pthread_key_create(&key, NULL), 0);
  for (int round = 0; round < 10; round++) {
#pragma omp parallel
    {
      pthread_setspecific(key, (void *)((intptr_t)omp_get_thread_num() + 1));
      wait_in_many_ways(check);
#pragma omp parallel num_threads(2)
      {
        if (omp_get_thread_num() == 1)
          EXPECT(pthread_getspecific(key) == NULL || round > 0, "a new member has a value");
        pthread_setspecific(key, (void *)((intptr_t)omp_get_thread_num() + 100));
#pragma omp barrier
        EXPECT_EQ((intptr_t)pthread_getspecific(key), omp_get_thread_num() + 100);
      }
    }
  }
  return 0;
}
