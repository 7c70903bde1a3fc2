// SPDX-License-Identifier: Apache-2.0
// Predefined allocators, traits (alignment, pool size, fallback, fb_data), calloc, realloc and
// their aligned forms, def-allocator-var (OpenMP 5.2 §6, §18.13).
#include <omp.h>
#include <stdint.h>
#include <string.h>
#include "expect.h"

static void check_predefined(void) {
  static const omp_allocator_handle_t handles[] = {
      omp_default_mem_alloc, omp_large_cap_mem_alloc, omp_const_mem_alloc, omp_low_lat_mem_alloc,
      omp_cgroup_mem_alloc,  omp_pteam_mem_alloc,     omp_thread_mem_alloc};
#pragma omp parallel
  for (int h = 0; h < 7; h++) {
    char *block = omp_alloc(1000, handles[h]);
    EXPECT(block != NULL, "allocator %d", h);
    memset(block, h, 1000);
    omp_free(block, handles[h]);
    block = omp_alloc(10, handles[h]);
    omp_free(block, omp_null_allocator);
  }
  omp_free(NULL, omp_default_mem_alloc);
}

static void check_alignment(void) {
  omp_alloctrait_t traits[] = {{omp_atk_alignment, 4096}, {omp_atk_sync_hint, omp_atv_contended}};
  omp_allocator_handle_t own = omp_init_allocator(omp_default_mem_space, 2, traits);
  EXPECT(own != omp_null_allocator, "4096 byte alignment");
  for (size_t size = 1; size < 100000; size = size * 7 + 1) {
    char *block = omp_alloc(size, own);
    EXPECT_EQ((uintptr_t)block % 4096, 0);
    memset(block, 1, size);
    omp_free(block, own);
    block = omp_aligned_alloc(256, size, omp_default_mem_alloc);
    EXPECT_EQ((uintptr_t)block % 256, 0);
    memset(block, 2, size);
    omp_free(block, omp_null_allocator);
    block = omp_aligned_calloc(512, 3, size, own);
    EXPECT_EQ((uintptr_t)block % 4096, 0);
    for (size_t i = 0; i < 3 * size; i++) EXPECT_EQ(block[i], 0);
    omp_free(block, own);
  }
  omp_destroy_allocator(own);
}

static void check_pool(void) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, 8192}, {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
  EXPECT(omp_alloc(10000, pool) == NULL, "more than the pool");
  void *first = omp_alloc(5000, pool);
  EXPECT(first != NULL, "5000 of 8192 bytes");
  EXPECT(omp_alloc(5000, pool) == NULL, "10000 of 8192 bytes");
  omp_free(first, pool);
  first = omp_alloc(5000, pool);
  EXPECT(first != NULL, "5000 bytes after they were freed");
  omp_free(first, pool);
  omp_alloctrait_t chained[] = {{omp_atk_pool_size, 100},
                                {omp_atk_fallback, omp_atv_allocator_fb},
                                {omp_atk_fb_data, (omp_uintptr_t)pool}};
  omp_allocator_handle_t small = omp_init_allocator(omp_default_mem_space, 3, chained);
  void *block = omp_alloc(4000, small);
  EXPECT(block != NULL, "the fallback allocator has room");
  EXPECT(omp_alloc(7000, small) == NULL, "the fallback allocator has no room");
  omp_free(block, small);
  omp_destroy_allocator(small);
  omp_alloctrait_t falling[] = {{omp_atk_pool_size, 100}, {omp_atk_fallback, omp_atv_default_mem_fb}};
  small = omp_init_allocator(omp_default_mem_space, 2, falling);
  block = omp_alloc(4000, small);
  EXPECT(block != NULL, "default memory fallback");
  omp_free(block, small);
  omp_destroy_allocator(small);
  omp_destroy_allocator(pool);
}

static void check_resize(void) {
  int *numbers = omp_calloc(100, sizeof *numbers, omp_default_mem_alloc);
  for (int i = 0; i < 100; i++) {
    EXPECT_EQ(numbers[i], 0);
    numbers[i] = i;
  }
  numbers = omp_realloc(numbers, 10000 * sizeof *numbers, omp_default_mem_alloc, omp_default_mem_alloc);
  for (int i = 0; i < 100; i++) EXPECT_EQ(numbers[i], i);
  numbers[9999] = 1;
  numbers = omp_realloc(numbers, 50 * sizeof *numbers, omp_cgroup_mem_alloc, omp_null_allocator);
  for (int i = 0; i < 50; i++) EXPECT_EQ(numbers[i], i);
  omp_free(numbers, omp_cgroup_mem_alloc);
  numbers = omp_realloc(NULL, 40, omp_default_mem_alloc, omp_null_allocator);
  EXPECT(numbers != NULL, "realloc of nothing");
  EXPECT(omp_realloc(numbers, 0, omp_default_mem_alloc, omp_default_mem_alloc) == NULL, "to zero");
  EXPECT(omp_alloc(0, omp_default_mem_alloc) == NULL, "zero bytes");
}

// A block grows within its pool, although the pool has no room for both sizes at once (libgomp).
static void check_growth(void) {
  omp_alloctrait_t traits[] = {{omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_null_fb}};
  omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
  for (int round = 0; round < 3; round++) {
    char *block = omp_alloc(600, pool);
    for (int i = 0; i < 600; i++) block[i] = (char)i;
    block = omp_realloc(block, 900, pool, pool);
    EXPECT(block != NULL, "the pool has room");
    for (int i = 0; i < 600; i++) EXPECT_EQ(block[i], (char)i);
    EXPECT(omp_realloc(block, 1001, pool, pool) == NULL, "the pool has no room");
    EXPECT(omp_alloc(101, pool) == NULL, "900 bytes are in use");
    block = omp_realloc(block, 10, pool, pool);
    void *rest = omp_alloc(990, pool);
    EXPECT(rest != NULL, "10 bytes are in use");
    omp_free(rest, pool);
    omp_free(block, pool);
  }
  omp_destroy_allocator(pool);
}

static void check_default(void) {
  EXPECT(omp_get_default_allocator() == omp_default_mem_alloc, "initial default");
  omp_set_default_allocator(omp_large_cap_mem_alloc);
#pragma omp parallel
  {
    EXPECT(omp_get_default_allocator() == omp_large_cap_mem_alloc, "inherited default");
#pragma omp barrier
    if (omp_get_thread_num() == 0) omp_set_default_allocator(omp_const_mem_alloc);
#pragma omp barrier
    if (omp_get_thread_num() != 0)
      EXPECT(omp_get_default_allocator() == omp_large_cap_mem_alloc, "another thread's default");
    void *block = omp_alloc(64, omp_null_allocator);
    EXPECT(block != NULL, "from the default allocator");
    omp_free(block, omp_null_allocator);
  }
}

int main(void) {
  check_predefined();
  check_alignment();
  check_pool();
  check_resize();
  check_growth();
  check_default();
  return 0;
}
