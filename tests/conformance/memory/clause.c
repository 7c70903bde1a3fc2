// SPDX-License-Identifier: Apache-2.0
// The allocate clause on regions, loops and tasks gives private copies the alignment and the
// allocator asked for. clang 22 leaves the clause of a task out of the code.
#include <omp.h>
#include <stdint.h>
#include "expect.h"

int main(void) {
  omp_alloctrait_t trait = {omp_atk_alignment, 1024};
  omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 1, &trait);
  int value = 3, array[50], sum = 0;
  for (int i = 0; i < 50; i++) array[i] = i;
#pragma omp parallel firstprivate(value, array) allocate(aligned : value, array)
  {
    EXPECT_EQ((uintptr_t)&value % 1024, 0);
    EXPECT_EQ((uintptr_t)array % 1024, 0);
    EXPECT_EQ(value, 3);
    EXPECT_EQ(array[49], 49);
    value = array[3] = omp_get_thread_num();
#pragma omp barrier
    EXPECT_EQ(value, omp_get_thread_num());
  }
#pragma omp parallel for private(value) reduction(+ : sum) allocate(omp_default_mem_alloc : value, sum)
  for (int i = 0; i < 100; i++) {
    value = i;
    sum += value;
  }
  EXPECT_EQ(sum, 4950);
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < 20; i++) {
    value = i;
#pragma omp task firstprivate(value) allocate(aligned : value)
    {
#ifndef __clang__
      EXPECT_EQ((uintptr_t)&value % 1024, 0);
#endif
      EXPECT(value >= 0 && value < 20, "%d", value);
    }
  }
  omp_destroy_allocator(aligned);
  return 0;
}
