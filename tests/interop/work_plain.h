// SPDX-License-Identifier: Apache-2.0
// Regions of either compiler, without thread-local data.
#ifndef TULLE_TESTS_INTEROP_WORK_PLAIN_H
#define TULLE_TESTS_INTEROP_WORK_PLAIN_H

#include <omp.h>

typedef void (*plain_body)(void *argument);
typedef void (*plain_region)(int threads, plain_body body, void *argument);

typedef struct {
  plain_region outer, inner;
} plain_regions;

void gnu_plain_region(int threads, plain_body body, void *argument);
void llvm_plain_region(int threads, plain_body body, void *argument);

#endif
