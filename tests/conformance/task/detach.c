// SPDX-License-Identifier: Apache-2.0
// A detached task is complete when its body has ended and its event is fulfilled: from the task
// itself, a sibling, or a pthread that is not OpenMP's; dependences, taskwait and taskgroup
// wait for that (OpenMP 5.2 §12.5.2).
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

static void *fulfil_at_once(void *event) {
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

static void check_inside(void) {
  omp_event_handle_t event;
  int done = 0;
#pragma omp task detach(event) shared(done)
  {
    done = 1;
    omp_fulfill_event(event);
  }
#pragma omp taskwait
  EXPECT_EQ(done, 1);
}

static void check_sibling(void) {
  omp_event_handle_t event;
  int value = 0, chain = 0;
  current_event = &event;
#pragma omp task detach(event) depend(out : chain)
  chain = 1;
#pragma omp task depend(in : chain) shared(value)
  {
    EXPECT_EQ(value, 1);
    value = 2;
  }
  omp_event_handle_t copy = *current_event;
#pragma omp task shared(value) firstprivate(copy)
  {
    value = 1;
    omp_fulfill_event(copy);
  }
#pragma omp taskwait
  EXPECT_EQ(value, 2);
}

static void check_foreign(void *(*routine)(void *)) {
  omp_event_handle_t event;
  pthread_t thread;
  int chain = 0, body = 0;
  current_event = &event;
#pragma omp task detach(event) shared(body)
  body = 1;
  thread = start(routine);
#pragma omp taskwait
  EXPECT_EQ(body, 1);
  EXPECT(is_fulfilled(), "after taskwait");
  pthread_join(thread, NULL);
#pragma omp taskgroup
  {
#pragma omp task detach(event) shared(body)
    body = 2;
    thread = start(routine);
  }
  EXPECT_EQ(body, 2);
  EXPECT(is_fulfilled(), "after taskgroup");
  pthread_join(thread, NULL);
#pragma omp task detach(event) depend(out : chain) shared(chain)
  chain = 3;
  thread = start(routine);
#pragma omp task depend(in : chain) shared(chain)
  {
    EXPECT_EQ(chain, 3);
    EXPECT(is_fulfilled(), "in a dependent task");
  }
#pragma omp taskwait
  pthread_join(thread, NULL);
}

int main(void) {
  for (int round = 0; round < 4; round++) {
#pragma omp parallel
#pragma omp single
    {
      check_inside();
      check_sibling();
      check_foreign(fulfil_later);
      check_foreign(fulfil_at_once);
    }
  }
  return 0;
}
