// SPDX-License-Identifier: Apache-2.0
// REGION is gnu_plain_region or llvm_plain_region.
#include "work_plain.h"

void REGION(int threads, plain_body body, void *argument) {
#pragma omp parallel num_threads(threads)
  body(argument);
}
