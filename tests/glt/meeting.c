// SPDX-License-Identifier: Apache-2.0
// Mutexes, barriers, conditions and futures between work units of all threads.
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <tulle/glt.h>

#include "expect.h"

enum { UNITS = 64, ROUNDS = 100 };

static GLT_ult ults[UNITS];
static GLT_mutex mutex;
static GLT_barrier barrier;
static GLT_cond cond;
static long shared;

static void run_everywhere(void (*function)(void *)) {
  for (long i = 0; i < UNITS; i++) glt_ult_create_to(function, (void *)i, &ults[i], (int)i % glt_get_num_threads());
  for (int i = 0; i < UNITS; i++) glt_ult_free(&ults[i]);
}

static void count_locked(void *number) {
  for (int i = 0; i < ROUNDS; i++) {
    switch (((long)number + i) % 3) {
      case 0: glt_mutex_lock(mutex); break;
      case 1: glt_mutex_spinlock(mutex); break;
      default:
        while (!glt_mutex_trylock(mutex)) glt_yield();
    }
    long now = shared;
    if (i % 5 == 0) glt_yield();  // others find it taken
    shared = now + 1;
    glt_mutex_unlock(mutex);
  }
}

// Two who come at the same time, and nobody after them: if the second begins to wait while the first lets go, and is
// missed, it waits for ever.
static atomic_int arrived;
static void hold_and_part(void *unused) {
  unsigned seed = (unsigned)(uintptr_t)unused;
  for (int i = 1; i <= 100 * ROUNDS; i++) {
    atomic_fetch_add(&arrived, 1);
    for (int looks = 0; atomic_load(&arrived) < 2 * i; looks++)
      if (looks > 1000) glt_yield();
    glt_mutex_lock(mutex);
    ++shared;
    for (volatile unsigned hold = rand_r(&seed) % 1000; hold > 0; hold--) continue;
    glt_mutex_unlock(mutex);
  }
}

static void two_alone(void) {
  shared = 0;
  for (long i = 0; i < 2; i++) glt_ult_create_to(hold_and_part, (void *)i, &ults[i], (int)i % glt_get_num_threads());
  for (int i = 0; i < 2; i++) glt_ult_free(&ults[i]);
  EXPECT_EQ(shared, 2 * 100 * ROUNDS);
}

// The last user of an object frees its mutex at once, and makes the next.
struct object {
  GLT_mutex mutex;
  int users;
};
static struct object *_Atomic objects[UNITS / 2];

static void use_and_free(void *number) {
  struct object *_Atomic *place = &objects[(long)number / 2];
  for (int i = 0; i < ROUNDS; i++) {
    struct object *mine = *place;
    glt_mutex_lock(mine->mutex);
    int last = --mine->users == 0;
    if (last) {
      struct object *made = malloc(sizeof *made);
      *made = (struct object){.users = 2};
      glt_mutex_create(&made->mutex);
      *place = made;
    }
    glt_mutex_unlock(mine->mutex);
    if (last) {
      glt_mutex_free(&mine->mutex);
      free(mine);
    } else {
      while (*place == mine) glt_yield();
    }
  }
}

static void mutexes_end(void) {
  for (int i = 0; i < UNITS / 2; i++) {
    struct object *made = malloc(sizeof *made);
    *made = (struct object){.users = 2};
    glt_mutex_create(&made->mutex);
    objects[i] = made;
  }
  run_everywhere(use_and_free);
  for (int i = 0; i < UNITS / 2; i++) {
    EXPECT_EQ(objects[i]->users, 2);
    glt_mutex_free(&objects[i]->mutex);
    free(objects[i]);
  }
}

static int in_phase[ROUNDS];
static void meet(void *number) {
  (void)number;
  for (int i = 0; i < ROUNDS; i++) {
    __atomic_fetch_add(&in_phase[i], 1, __ATOMIC_RELAXED);
    glt_barrier_wait(&barrier);
    EXPECT_EQ(__atomic_load_n(&in_phase[i], __ATOMIC_RELAXED), UNITS);
  }
}

static long turn;
static void take_turns(void *number) {
  for (int i = 0; i < ROUNDS / 20; i++) {
    glt_mutex_lock(mutex);
    while (turn % UNITS != (long)number) glt_cond_wait(cond, mutex);
    ++turn;
    glt_cond_broadcast(cond);
    glt_mutex_unlock(mutex);
  }
}

static int waiting, let_go;
static void wait_for_signal(void *number) {
  (void)number;
  glt_mutex_lock(mutex);
  ++waiting;
  glt_cond_wait(cond, mutex);
  ++let_go;
  glt_mutex_unlock(mutex);
}

// One signal, one unit.
static void signals(void) {
  waiting = let_go = 0;
  for (long i = 0; i < UNITS; i++) glt_ult_create_to(wait_for_signal, NULL, &ults[i], (int)i % glt_get_num_threads());
  for (int all = 0; !all; glt_yield()) {
    glt_mutex_lock(mutex);
    all = waiting == UNITS;
    glt_mutex_unlock(mutex);
  }
  for (int sent = 1; sent <= UNITS; sent++) {
    glt_cond_signal(cond);
    for (int seen = 0; seen != sent; glt_yield()) {
      glt_mutex_lock(mutex);
      seen = let_go;
      EXPECT(seen <= sent);
      glt_mutex_unlock(mutex);
    }
  }
  for (int i = 0; i < UNITS; i++) glt_ult_free(&ults[i]);
}

static GLT_future futures[UNITS + 1];
static void pass_on(void *number) {
  long i = (long)number;
  long *value;
  glt_future_wait(futures[i], (void **)&value);
  long next = *value + 1;
  glt_future_set(futures[i + 1], &next, sizeof next);
}

static void a_chain_of_futures(void) {
  long first = 42, *last;
  EXPECT(glt_can_future_functions());
  for (int i = 0; i <= UNITS; i++) glt_future_create(sizeof(long), &futures[i]);
  for (long i = UNITS - 1; i >= 0; i--) glt_ult_create_to(pass_on, (void *)i, &ults[i], (int)i % glt_get_num_threads());
  glt_future_set(futures[0], &first, sizeof first);
  glt_future_wait(futures[UNITS], (void **)&last);
  EXPECT_EQ(*last, 42 + UNITS);
  for (int i = 0; i < UNITS; i++) glt_ult_free(&ults[i]);
  for (int i = 0; i <= UNITS; i++) glt_future_free(&futures[i]);
}

int main(int argc, char **argv) {
  glt_init(argc, argv);
  glt_mutex_create(&mutex);
  EXPECT_EQ(glt_mutex_trylock(mutex), GLT_TRUE);
  EXPECT_EQ(glt_mutex_trylock(mutex), GLT_FALSE);
  glt_mutex_unlock(mutex);
  run_everywhere(count_locked);
  EXPECT_EQ(shared, UNITS * ROUNDS);
  two_alone();
  mutexes_end();
  glt_barrier_create(UNITS, &barrier);
  run_everywhere(meet);
  glt_cond_create(&cond);
  run_everywhere(take_turns);
  EXPECT_EQ(turn, UNITS * (ROUNDS / 20));
  signals();
  a_chain_of_futures();
  glt_cond_free(&cond);
  glt_barrier_free(&barrier);
  glt_mutex_free(&mutex);
  EXPECT(cond == GLT_NULL && barrier == GLT_NULL && mutex == GLT_NULL);
  glt_finalize();
  return 0;
}
