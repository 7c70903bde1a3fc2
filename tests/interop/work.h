// SPDX-License-Identifier: Apache-2.0
// What each compiler's half of a program offers the other: the same source, built twice, with names
// that begin with gnu_ or llvm_.
#ifndef TULLE_TESTS_INTEROP_WORK_H
#define TULLE_TESTS_INTEROP_WORK_H

#include <omp.h>
#include <stddef.h>

typedef void (*Body)(void *argument);

// A half of the program. Each function is described where it is defined, in work.c.
struct Half {
  const char *name;
  int (*thread_num)(void);
  void (*region)(int threads, Body body, void *argument);
  long (*loop_sum)(const int *values, int count);
  long (*task_tree)(int depth, const struct Half *other);
  void (*task)(Body body, void *argument);
  void (*group)(Body body, void *argument);
  void (*task_reduction)(Body body, void *argument);
  void (*contribute)(long value);
  int *(*counter)(void);
  void (*critical)(Body body, void *argument);
  void (*set_lock)(void *lock);
  void (*unset_lock)(void *lock);
  void (*barrier)(void);
  int (*single)(void);
  omp_event_handle_t (*detached)(int *begun);
};

// Reduced by the tasks of both halves.
extern long shared_sum;

extern const struct Half gnu_half, llvm_half;

#endif
