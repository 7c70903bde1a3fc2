// SPDX-License-Identifier: Apache-2.0
// Stands between the runtime and the C library, and calls the program before each call that takes a mutex.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <time.h>

void (*before_mutex)(pthread_mutex_t *);

static void *next(const char *name, pthread_mutex_t *mutex) {
  void (*hook)(pthread_mutex_t *) = before_mutex;
  if (hook != NULL) hook(mutex);
  return dlsym(RTLD_NEXT, name);
}

int pthread_mutex_lock(pthread_mutex_t *mutex) {
  int (*function)(pthread_mutex_t *) = (int (*)(pthread_mutex_t *))next(__func__, mutex);
  return function(mutex);
}

int pthread_mutex_trylock(pthread_mutex_t *mutex) {
  int (*function)(pthread_mutex_t *) = (int (*)(pthread_mutex_t *))next(__func__, mutex);
  return function(mutex);
}

int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *end) {
  int (*function)(pthread_mutex_t *, const struct timespec *) =
      (int (*)(pthread_mutex_t *, const struct timespec *))next(__func__, mutex);
  return function(mutex, end);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *end) {
  int (*function)(pthread_mutex_t *, clockid_t, const struct timespec *) =
      (int (*)(pthread_mutex_t *, clockid_t, const struct timespec *))next(__func__, mutex);
  return function(mutex, clock, end);
}
