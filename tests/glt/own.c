// SPDX-License-Identifier: Apache-2.0
// Values of work units, timers, and threads that are disabled for a while.
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <tulle/glt.h>
#include <unistd.h>

#include "expect.h"

enum { UNITS = 48, KEYS = 12 };

static GLT_ult ults[UNITS];
static GLT_key keys[KEYS];
static int destroyed;

static void destroy(void *value) {
  EXPECT_EQ(*(char *)value, 'v');
  __atomic_fetch_add(&destroyed, 1, __ATOMIC_RELAXED);
}

static void keep_values(void *number) {
  void *value;
  long i = (long)number;
  for (int k = 0; k < KEYS; k++) {
    glt_key_get(keys[k], &value);
    EXPECT(value == NULL);
    glt_key_set(keys[k], (char *)"vvvvvvvvvvvv" + k);
  }
  glt_yield();
  glt_ult_migrate_self_to((int)(i + 1) % glt_get_num_threads());
  for (int k = 0; k < KEYS; k++) {
    glt_key_get(keys[k], &value);
    EXPECT_EQ(*(char *)value, 'v');
  }
  if (i % 3 == 0) glt_ult_exit();
}

static void values(void) {
  GLT_key old;
  void *value;
  glt_key_create(NULL, &old);
  glt_key_set(old, &old);
  glt_key_get(old, &value);
  EXPECT(value == &old);
  glt_key_free(&old);
  for (int k = 0; k < KEYS; k++) glt_key_create(k % 2 ? destroy : NULL, &keys[k]);
  glt_key_get(keys[0], &value);
  EXPECT(value == NULL, "a new key has the value of an old one");
  for (long i = 0; i < UNITS; i++) glt_ult_create_to(keep_values, (void *)i, &ults[i], (int)i % glt_get_num_threads());
  for (int i = 0; i < UNITS; i++) glt_ult_free(&ults[i]);
  EXPECT_EQ(destroyed, UNITS * (KEYS / 2));
  for (int k = 0; k < KEYS; k++) glt_key_free(&keys[k]);
  EXPECT(keys[0] == GLT_NULL);
}

static void timers(void) {
  GLT_timer timer;
  double seconds, begin = glt_get_wtime();
  glt_timer_create(&timer);
  glt_timer_start(timer);
  usleep(20000);
  glt_timer_stop(timer);
  double passed = glt_get_wtime() - begin;
  glt_timer_get_secs(timer, &seconds);
  EXPECT(seconds >= 0.02 && seconds <= passed);
  glt_timer_free(&timer);
}

static int stop;
static void stay_until_told(void *threads) {
  (void)threads;
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) glt_yield();
}

static void note_thread(void *where) { *(int *)where = glt_get_thread_num(); }

static int runs_at(int thread) {
  int where = -1;
  GLT_ult ult;
  glt_ult_create_to(note_thread, &where, &ult, thread);
  glt_ult_free(&ult);
  return where;
}

static void fewer_threads(void) {
  int threads = glt_get_num_threads();
  EXPECT(glt_can_malleability());
  for (int i = 0; i < UNITS; i++) glt_ult_create_to(stay_until_told, NULL, &ults[i], i % threads);
  for (int i = 1; i < threads; i++) glt_thread_disable_id(i);
  for (int i = 0; i < threads; i++) EXPECT_EQ(runs_at(i), 0);
  if (threads > 1) {
    glt_thread_enable();  // the first that is disabled
    EXPECT_EQ(runs_at(1), 1);
    glt_thread_disable();
    EXPECT_EQ(runs_at(1), 0);
  }
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < UNITS; i++) glt_ult_free(&ults[i]);
  for (int i = 1; i < threads; i++) glt_thread_enable_id(i);
  for (int i = 0; i < threads; i++) EXPECT_EQ(runs_at(i), i);
}

static void texts_of_errors(void) {
  char text[256];
  size_t length = 0;
  glt_get_error_str(ENOENT, NULL, &length);
  EXPECT_EQ(length, strlen(strerror(ENOENT)) + 1);
  length = sizeof text;
  glt_get_error_str(ENOENT, text, &length);
  EXPECT_EQ(strcmp(text, strerror(ENOENT)), 0);
  length = 4;
  glt_get_error_str(ENOENT, text, &length);
  EXPECT_EQ(strlen(text), 3);
}

int main(int argc, char **argv) {
  glt_init(argc, argv);
  values();
  timers();
  fewer_threads();
  texts_of_errors();
  glt_finalize();
  return 0;
}
