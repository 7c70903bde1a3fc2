// SPDX-License-Identifier: Apache-2.0
// The allocate clause with its allocator and align modifiers, and the allocate directive with align
// (OpenMP 5.2 §6.6, §6.7).
#include <omp.h>
#include <stdint.h>
#include "expect.h"

static int with_directive(int value) {
  int array[5];
#pragma omp allocate(array) align(256) allocator(omp_default_mem_alloc)
  EXPECT_EQ((uintptr_t)array % 256, 0);
  for (int i = 0; i < 5; i++) array[i] = value + i;
  return array[0] + array[4];
}

int main(void) {
  int value = 5, array[20], sum = 0;
  for (int i = 0; i < 20; i++) array[i] = i;
#pragma omp parallel firstprivate(array) private(value) \
    allocate(allocator(omp_default_mem_alloc), align(512) : array) allocate(align(128) : value)
  {
    EXPECT_EQ((uintptr_t)array % 512, 0);
    EXPECT_EQ((uintptr_t)&value % 128, 0);
    value = array[7] += omp_get_thread_num();
#pragma omp barrier
    EXPECT_EQ(array[7], 7 + omp_get_thread_num());
    EXPECT_EQ(value, array[7]);
    EXPECT_EQ(with_directive(value), 2 * value + 4);
#pragma omp for reduction(+ : sum) allocate(allocator(omp_large_cap_mem_alloc), align(64) : sum)
    for (int i = 0; i < 20; i++) sum += array[i] - (i == 7 ? omp_get_thread_num() : 0);
  }
  EXPECT_EQ(sum, 190);
  return 0;
}
