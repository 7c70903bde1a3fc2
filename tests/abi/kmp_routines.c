// SPDX-License-Identifier: Apache-2.0
// kmp_* routines: each sets what the matching one gets; C forms, second names and Fortran forms.
#define _GNU_SOURCE
#include <limits.h>
#include <omp.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>

#include "expect.h"

int kmp_get_stacksize(void);
size_t kmp_get_stacksize_s(void), kmp_get_stacksize_s_(void);
void kmp_set_stacksize(int), kmp_set_stacksize_s(size_t), kmpc_set_stacksize_s(size_t);
void kmp_set_stacksize_(int *);
int kmp_get_blocktime(void);
void kmp_set_blocktime(int), kmpc_set_blocktime(int), kmp_set_blocktime_(int *);
int kmp_get_library(void);
void kmp_set_library(int), kmp_set_library_serial(void), kmp_set_library_turnaround(void);
void kmp_set_defaults(const char *);
void *kmp_malloc(size_t), *kmp_aligned_malloc(size_t, size_t), *kmp_calloc(size_t, size_t);
void *kmp_realloc(void *, size_t), *kmpc_malloc(size_t), *kmp_malloc_(size_t *);
void kmp_free(void *), kmpc_free(void *), kmp_free_(void **);
typedef void *kmp_affinity_mask_t;
void kmp_create_affinity_mask(kmp_affinity_mask_t *), kmp_destroy_affinity_mask(kmp_affinity_mask_t *);
int kmp_get_affinity(kmp_affinity_mask_t *), kmp_set_affinity(kmp_affinity_mask_t *);
int kmp_get_affinity_max_proc(void);
int kmp_set_affinity_mask_proc(int, kmp_affinity_mask_t *);
int kmp_unset_affinity_mask_proc(int, kmp_affinity_mask_t *);
int kmp_get_affinity_mask_proc(int, kmp_affinity_mask_t *);
int kmp_get_affinity_mask_proc_(int *, kmp_affinity_mask_t *);
void kmp_set_thread_affinity_mask_initial(void);

static void check_defaults(void) {
  kmp_set_defaults("OMP_NUM_THREADS=3|KMP_BLOCKTIME=17");
  EXPECT_EQ(omp_get_max_threads(), 3);
  EXPECT_EQ(kmp_get_blocktime(), 17);
}

// Once the runtime is in use.
static void check_late_defaults(void) {
#pragma omp parallel
  __asm__ volatile("");
  kmp_set_defaults("OMP_NUM_THREADS=5|OMP_DYNAMIC=true|KMP_STACKSIZE=3M|OMP_NUM_TEAMS=4|KMP_BLOCKTIME=19");
  EXPECT_EQ(omp_get_max_threads(), 5);
  EXPECT_EQ(omp_get_dynamic(), 1);
  EXPECT_EQ(kmp_get_stacksize_s(), 3 << 20);
  EXPECT_EQ(omp_get_max_teams(), 4);
  EXPECT_EQ(kmp_get_blocktime(), 19);
  kmp_set_defaults("OMP_NUM_THREADS=none|NOBODY=1|OMP_DYNAMIC=false");
  EXPECT_EQ(omp_get_max_threads(), 5);
  EXPECT_EQ(omp_get_dynamic(), 0);
}

static void check_stacks(void) {
  kmp_set_stacksize_s(3 << 20);
  EXPECT_EQ(kmp_get_stacksize_s(), 3 << 20);
  EXPECT_EQ(kmp_get_stacksize(), 3 << 20);
  int four = 4 << 20;
  kmp_set_stacksize_(&four);
  EXPECT_EQ(kmp_get_stacksize_s_(), 4 << 20);
  kmpc_set_stacksize_s(5 << 20);
  EXPECT_EQ(kmp_get_stacksize_s(), 5 << 20);
}

static void check_waiting(void) {
  kmp_set_blocktime(25);
  EXPECT_EQ(kmp_get_blocktime(), 25);
  int none = 0;
  kmp_set_blocktime_(&none);
  EXPECT_EQ(kmp_get_blocktime(), 0);
  kmp_set_library_turnaround();
  EXPECT_EQ(kmp_get_library(), 2);
  EXPECT_EQ(kmp_get_blocktime(), INT_MAX);
  kmpc_set_blocktime(1);
  EXPECT_EQ(kmp_get_library(), 3);
  kmp_set_library_serial();
  EXPECT_EQ(omp_get_max_threads(), 1);
}

static void check_memory(void) {
  char *block = kmp_malloc(100);
  memset(block, 7, 100);
  block = kmp_realloc(block, 10000);
  for (int i = 0; i < 100; i++) EXPECT_EQ(block[i], 7);
  kmp_free(block);
  block = kmp_aligned_malloc(100, 4096);
  EXPECT_EQ((uintptr_t)block % 4096, 0);
  kmpc_free(block);
  block = kmp_calloc(10, 10);
  for (int i = 0; i < 100; i++) EXPECT_EQ(block[i], 0);
  kmp_free_((void **)&block);
  size_t size = 10;
  kmp_free(kmp_malloc_(&size));
}

static void check_affinity(void) {
  cpu_set_t set;
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  kmp_affinity_mask_t mask, one;
  kmp_create_affinity_mask(&mask);
  kmp_create_affinity_mask(&one);
  EXPECT_EQ(kmp_get_affinity(&mask), 0);
  int first = -1;
  for (int cpu = 0; cpu < kmp_get_affinity_max_proc() && cpu < CPU_SETSIZE; cpu++) {
    EXPECT_EQ(kmp_get_affinity_mask_proc(cpu, &mask), CPU_ISSET(cpu, &set) != 0);
    if (CPU_ISSET(cpu, &set) && first < 0) first = cpu;
  }
  EXPECT_EQ(kmp_set_affinity_mask_proc(first, &one), 0);
  EXPECT_EQ(kmp_set_affinity_mask_proc(-1, &one), -1);
  EXPECT_EQ(kmp_get_affinity_mask_proc_(&first, &one), 1);
  EXPECT_EQ(kmp_set_affinity(&one), 0);
  EXPECT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
  EXPECT_EQ(CPU_COUNT(&set), 1);
  EXPECT(CPU_ISSET(first, &set), "bound elsewhere");
  EXPECT_EQ(kmp_set_affinity(&mask), 0);
  EXPECT_EQ(kmp_unset_affinity_mask_proc(first, &one), 0);
  EXPECT_EQ(kmp_get_affinity_mask_proc(first, &one), 0);
  kmp_destroy_affinity_mask(&one);
  kmp_destroy_affinity_mask(&mask);
}

int main(void) {
  check_defaults();
  check_late_defaults();
  check_stacks();
  check_waiting();
  check_memory();
  check_affinity();
  return 0;
}
