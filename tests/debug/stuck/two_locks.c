// SPDX-License-Identifier: Apache-2.0
// Each of two threads holds one lock and waits for the other's.
#include <omp.h>

static omp_lock_t one, other;
static int held;

__attribute__((noinline)) static void take_both(omp_lock_t* first, omp_lock_t* second) {
  omp_set_lock(first);
#pragma omp atomic
  ++held;
#pragma omp barrier
  omp_set_lock(second);
  omp_unset_lock(second);
  omp_unset_lock(first);
}

int main(void) {
  omp_init_lock(&one);
  omp_init_lock(&other);
#pragma omp parallel num_threads(2)
  if (omp_get_thread_num() == 0)
    take_both(&one, &other);
  else
    take_both(&other, &one);
  return held != 2;
}
