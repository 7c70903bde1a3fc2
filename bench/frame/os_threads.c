// SPDX-License-Identifier: Apache-2.0
// Counts the OS threads of the process: how many live, and how many were ever created. The
// executable's pthread_create stands before the C library's, so that it sees the calls of whatever
// OpenMP runtime is loaded. All functions may be called from any thread.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "measure.h"

typedef int Create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static atomic_int created;
static atomic_int peak = 1;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
  static _Atomic(Create *) next;
  Create *real = atomic_load(&next);
  if (!real) {
    *(void **)&real = dlsym(RTLD_NEXT, "pthread_create");
    atomic_store(&next, real);
  }
  int error = real(thread, attributes, start, argument);
  if (error == 0) atomic_fetch_add(&created, 1);
  return error;
}

int os_threads_now(void) {
  FILE *status = fopen("/proc/self/status", "r");
  char line[128];
  int n = 0;
  while (status && fgets(line, sizeof line, status))
    if (sscanf(line, "Threads: %d", &n) == 1) break;
  if (status) fclose(status);
  return n;
}

void note_os_threads(void) {
  int n = os_threads_now(), seen = atomic_load(&peak);
  while (n > seen && !atomic_compare_exchange_weak(&peak, &seen, n)) {
  }
}

int os_threads_peak(void) {
  note_os_threads();
  return atomic_load(&peak);
}

int os_threads_created(void) { return atomic_load(&created); }
