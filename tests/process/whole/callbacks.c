// SPDX-License-Identifier: Apache-2.0
// A library that Python loads: every member of a team calls back.
#include <omp.h>

void call_members(int threads, void (*callback)(int));

void call_members(int threads, void (*callback)(int)) {
#pragma omp parallel num_threads(threads)
  callback(omp_get_thread_num());
}

void meet(void);

void meet(void) {
#pragma omp barrier
}
