// SPDX-License-Identifier: Apache-2.0
// Misuse ends the process with one line; the argument says which.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <tulle/glt.h>

static void nothing(void *argument) { (void)argument; }
static void join_self(void *handle) { glt_ult_join(handle); }
static void finalize(void *argument) {
  (void)argument;
  glt_finalize();
}
static void *yield_elsewhere(void *argument) {
  glt_yield();
  return argument;
}

int main(int argc, char **argv) {
  GLT_ult ult = GLT_NULL;
  GLT_mutex mutex;
  GLT_barrier barrier;
  GLT_future future;
  pthread_t thread;
  const char *which = argc > 1 ? argv[1] : "";
  if (strcmp(which, "early") == 0) glt_yield();
  glt_init(argc, argv);
  if (strcmp(which, "twice") == 0) glt_init(argc, argv);
  if (strcmp(which, "elsewhere") == 0 && pthread_create(&thread, NULL, yield_elsewhere, NULL) == 0)
    pthread_join(thread, NULL);
  if (strcmp(which, "destination") == 0) glt_ult_create_to(nothing, NULL, &ult, glt_get_num_threads());
  if (strcmp(which, "nobody") == 0) glt_ult_join(&ult);
  if (strcmp(which, "self") == 0) glt_ult_create(join_self, &ult, &ult);
  if (strcmp(which, "exit") == 0) glt_ult_exit();
  if (strcmp(which, "finalize") == 0) glt_ult_create(finalize, NULL, &ult);
  if (strcmp(which, "unlock") == 0) {
    glt_mutex_create(&mutex);
    glt_mutex_unlock(mutex);
  }
  if (strcmp(which, "barrier") == 0) glt_barrier_create(0, &barrier);
  if (strcmp(which, "future") == 0) {
    glt_future_create(4, &future);
    glt_future_set(future, "12345678", 8);
  }
  if (strcmp(which, "again") == 0) {
    glt_future_create(0, &future);
    glt_future_set(future, NULL, 0);
    glt_future_set(future, NULL, 0);
  }
  if (ult != GLT_NULL) glt_ult_free(&ult);
  glt_finalize();
  return 0;
}
