// SPDX-License-Identifier: Apache-2.0
// Tasks that are a chain, so that only one of them can run.
#include "work.h"

int main(void) {
  turns_per_ms();
  int link = 0;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 400; ++i) {
#pragma omp task depend(inout : link) firstprivate(i)
    work_us(500), link += i;
  }
  return link < 0;
}
