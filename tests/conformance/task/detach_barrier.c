// SPDX-License-Identifier: Apache-2.0
// A barrier waits for a detached task whose event a pthread, not OpenMP's, fulfils while all threads
// of the team wait (OpenMP 5.2 §12.5.2).
#include <omp.h>
#include <pthread.h>
#include "expect.h"

// GCC up to 12 takes a local event for uninitialised after the task construct that sets it, unless
// its address is known elsewhere.
static omp_event_handle_t *volatile current_event;
static int fulfilled;

static int is_fulfilled(void) { return __atomic_load_n(&fulfilled, __ATOMIC_SEQ_CST); }

static void *fulfil_later(void *event) {
  usleep(500);
  __atomic_store_n(&fulfilled, 1, __ATOMIC_SEQ_CST);
  omp_fulfill_event((omp_event_handle_t)(size_t)event);
  return NULL;
}

static pthread_t start(void *(*routine)(void *)) {
  pthread_t thread;
  __atomic_store_n(&fulfilled, 0, __ATOMIC_SEQ_CST);
  EXPECT_EQ(pthread_create(&thread, NULL, routine, (void *)(size_t)*current_event), 0);
  return thread;
}

static void check_barrier(void) {
  pthread_t thread;
  int body = 0;
  omp_event_handle_t event;
  current_event = &event;
#pragma omp parallel shared(thread, body, event)
  {
#pragma omp single
    {
#pragma omp task detach(event) shared(body)
      body = 1;
      thread = start(fulfil_later);
    }
    EXPECT_EQ(body, 1);
    EXPECT(is_fulfilled(), "after a barrier");
  }
  pthread_join(thread, NULL);
}

int main(void) {
  for (int round = 0; round < 4; round++) check_barrier();
  return 0;
}
