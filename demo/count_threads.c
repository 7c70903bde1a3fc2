// SPDX-License-Identifier: Apache-2.0
// Preloaded: counts the calls of pthread_create in a process, which is how every OpenMP runtime here
// makes its OS threads, and adds a line with the number to the file that COUNT_THREADS names when
// the process ends.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef int Create(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *);

static atomic_long created;

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                   void *argument) {
  static _Atomic(Create *) next;
  Create *create = next;
  if (create == NULL) next = create = (Create *)dlsym(RTLD_NEXT, "pthread_create");
  int error = create(thread, attributes, start, argument);
  if (error == 0) created++;
  return error;
}

__attribute__((destructor)) static void report(void) {
  const char *path = getenv("COUNT_THREADS");
  int file = path != NULL ? open(path, O_WRONLY | O_CREAT | O_APPEND, 0644) : -1;
  if (file >= 0) {
    dprintf(file, "%ld\n", created);
    close(file);
  }
}
