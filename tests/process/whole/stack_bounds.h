// SPDX-License-Identifier: Apache-2.0
// What the C library says about the calling thread's stack. Needs _GNU_SOURCE.
#ifndef TULLE_TESTS_STACK_BOUNDS_H
#define TULLE_TESTS_STACK_BOUNDS_H

#include <pthread.h>
#include <stdbool.h>

#include "expect.h"

typedef struct StackBounds {
  void *lowest;
  size_t bytes;
} StackBounds;

static StackBounds own_stack_bounds(void) {
  pthread_attr_t attributes;
  StackBounds bounds;
  EXPECT_EQ(pthread_getattr_np(pthread_self(), &attributes), 0);
  EXPECT_EQ(pthread_attr_getstack(&attributes, &bounds.lowest, &bounds.bytes), 0);
  pthread_attr_destroy(&attributes);
  return bounds;
}

static bool lies_within(const StackBounds *bounds, const char *here) {
  return here > (char *)bounds->lowest && here < (char *)bounds->lowest + bounds->bytes;
}

#endif
