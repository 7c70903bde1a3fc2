// SPDX-License-Identifier: Apache-2.0
// kmp_* routines in the forms that kmp_routines.c leaves out: second names and Fortran's.
#include <limits.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "expect.h"

#define GETTER(T, name) T kmp_##name(void), kmp_##name##_(void)
#define SETTER(T, name) void kmp_##name(T), kmpc_##name(T), kmp_##name##_(T *)
#define ACTION(name) void kmp_##name(void), kmp_##name##_(void)
GETTER(int, get_stacksize);
GETTER(int, get_blocktime);
GETTER(int, get_library);
GETTER(int, get_num_known_threads);
SETTER(int, set_stacksize);
SETTER(size_t, set_stacksize_s);
SETTER(int, set_library);
SETTER(int, set_disp_num_buffers);
ACTION(set_library_serial);
ACTION(set_library_turnaround);
ACTION(set_library_throughput);
ACTION(set_warnings_on);
ACTION(set_warnings_off);
void kmp_set_blocktime(int), kmpc_set_defaults(const char *);
void kmp_set_defaults_(const char *, size_t length);
int kmp_get_cancellation_status(int kind), kmp_get_cancellation_status_(int *kind);
void *kmpc_malloc(size_t), *kmpc_aligned_malloc(size_t, size_t), *kmpc_calloc(size_t, size_t);
void *kmpc_realloc(void *, size_t), *kmp_malloc_(size_t *), *kmp_calloc_(size_t *, size_t *);
void *kmp_aligned_malloc_(size_t *, size_t *), *kmp_realloc_(void **, size_t *);
void kmpc_free(void *), kmp_free_(void **);
typedef void *mask;
void kmp_create_affinity_mask_(mask *), kmp_destroy_affinity_mask_(mask *);
int kmp_get_affinity_(mask *), kmp_set_affinity_(mask *), kmp_get_affinity_max_proc_(void);
int kmpc_set_affinity_mask_proc(int, mask *), kmp_set_affinity_mask_proc_(int *, mask *);
int kmpc_unset_affinity_mask_proc(int, mask *), kmp_unset_affinity_mask_proc_(int *, mask *);
int kmpc_get_affinity_mask_proc(int, mask *);
void kmp_set_thread_affinity_mask_initial(void);

static void check_stacks(void) {
  int three = 3 << 20;
  size_t four = 4 << 20;
  kmp_set_stacksize(three);
  EXPECT_EQ(kmp_get_stacksize_(), three);
  kmp_set_stacksize_s_(&four);
  EXPECT_EQ(kmp_get_stacksize(), four);
  kmpc_set_stacksize(three);
  EXPECT_EQ(kmp_get_stacksize(), three);
}

static void check_waiting(void) {
  int buffers = 9, turnaround = 2;
  kmp_set_library_turnaround_();
  EXPECT_EQ(kmp_get_library_(), 2);
  EXPECT_EQ(kmp_get_blocktime_(), INT_MAX);
  kmp_set_blocktime(3);
  kmp_set_library_throughput();
  kmp_set_library_throughput_();
  EXPECT_EQ(kmp_get_library(), 3);
  kmp_set_library(2);
  EXPECT_EQ(kmp_get_library(), 2);
  kmp_set_blocktime(3);
  kmpc_set_library(2);
  EXPECT_EQ(kmp_get_library(), 2);
  kmp_set_blocktime(3);
  kmp_set_library_(&turnaround);
  EXPECT_EQ(kmp_get_blocktime(), INT_MAX);
  kmp_set_blocktime(3);
  kmp_set_disp_num_buffers(buffers);
  kmpc_set_disp_num_buffers(buffers);
  kmp_set_disp_num_buffers_(&buffers);
  kmp_set_warnings_on(), kmp_set_warnings_off();
  kmp_set_warnings_on_(), kmp_set_warnings_off_();
  EXPECT_EQ(kmp_get_num_known_threads(), kmp_get_num_known_threads_());
  EXPECT(kmp_get_num_known_threads() >= 1, "");
}

static void check_cancellation(void) {
  int seen = 0, kind = 1;
#pragma omp parallel num_threads(2)
  {
    EXPECT_EQ(kmp_get_cancellation_status(1), 0);
#pragma omp barrier
#pragma omp cancel parallel
#pragma omp atomic
    seen += !omp_get_cancellation();
  }
  EXPECT_EQ(seen, omp_get_cancellation() ? 0 : 2);
  EXPECT_EQ(kmp_get_cancellation_status_(&kind), 0);
}

static void check_memory(void) {
  size_t hundred = 100, ten = 10, page = 4096;
  char *block = kmpc_malloc(hundred);
  memset(block, 7, hundred);
  block = kmpc_realloc(block, 10000);
  block = kmp_realloc_((void **)&block, &page);
  for (int i = 0; i < 100; i++) EXPECT_EQ(block[i], 7);
  kmpc_free(block);
  block = kmpc_aligned_malloc(hundred, page);
  EXPECT_EQ((uintptr_t)block % page, 0);
  kmpc_free(block);
  block = kmp_aligned_malloc_(&hundred, &page);
  EXPECT_EQ((uintptr_t)block % page, 0);
  kmp_free_((void **)&block);
  block = kmpc_calloc(ten, ten);
  char *other = kmp_calloc_(&ten, &ten);
  for (int i = 0; i < 100; i++) EXPECT_EQ(block[i] + other[i], 0);
  kmpc_free(block);
  kmpc_free(other);
  kmpc_free(kmp_malloc_(&ten));
}

static void check_masks(void) {
  mask all, one;
  kmp_create_affinity_mask_(&all);
  kmp_create_affinity_mask_(&one);
  EXPECT_EQ(kmp_get_affinity_(&all), 0);
  int cpu = 0, last = kmp_get_affinity_max_proc_();
  while (cpu < last && kmpc_get_affinity_mask_proc(cpu, &all) != 1) cpu++;
  EXPECT(cpu < last, "");
  EXPECT_EQ(kmpc_set_affinity_mask_proc(cpu, &one), 0);
  EXPECT_EQ(kmpc_get_affinity_mask_proc(cpu, &one), 1);
  EXPECT_EQ(kmp_unset_affinity_mask_proc_(&cpu, &one), 0);
  EXPECT_EQ(kmpc_get_affinity_mask_proc(cpu, &one), 0);
  EXPECT_EQ(kmp_set_affinity_mask_proc_(&cpu, &one), 0);
  EXPECT_EQ(kmp_set_affinity_(&one), 0);
  kmp_set_thread_affinity_mask_initial();
  EXPECT_EQ(kmpc_unset_affinity_mask_proc(cpu, &one), 0);
  kmp_destroy_affinity_mask_(&one);
  kmp_destroy_affinity_mask_(&all);
  EXPECT(all == NULL, "");
}

int main(void) {
  check_stacks();
  check_waiting();
  check_cancellation();
  check_memory();
  check_masks();
  kmpc_set_defaults("OMP_NUM_THREADS=3");
  kmp_set_defaults_("KMP_BLOCKTIME=17 and more", strlen("KMP_BLOCKTIME=17"));
  EXPECT_EQ(omp_get_max_threads(), 3);
  EXPECT_EQ(kmp_get_blocktime(), 17);
  kmp_set_library_serial_();
  EXPECT_EQ(omp_get_max_threads(), 1);
  return 0;
}
