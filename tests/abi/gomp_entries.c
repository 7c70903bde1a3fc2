// SPDX-License-Identifier: Apache-2.0
// Entry points of GCC's interface that GCC 12 emits for few programs, or that older ones emitted.
#include <omp.h>
#include <stdbool.h>
#include <stdint.h>

#include "expect.h"

typedef void body(void *);
void GOMP_parallel(body *, void *, unsigned threads, unsigned flags);
void GOMP_parallel_loop_static(body *, void *, unsigned, long, long, long, long chunk, unsigned);
void GOMP_parallel_loop_runtime(body *, void *, unsigned, long, long, long, unsigned);
void GOMP_parallel_loop_nonmonotonic_runtime(body *, void *, unsigned, long, long, long, unsigned);
bool GOMP_loop_static_next(long *, long *), GOMP_loop_runtime_next(long *, long *);
bool GOMP_loop_nonmonotonic_runtime_next(long *, long *);
void GOMP_loop_end_nowait(void), GOMP_barrier(void);
unsigned GOMP_sections_start(unsigned), GOMP_sections_next(void);
bool GOMP_sections_end_cancel(void);
void GOMP_scope_start(uintptr_t *reductions);

enum { COUNT = 100, THREADS = 3 };
static int hits[COUNT];
static bool (*next_chunk)(long *, long *);

static void add(int *counter) { __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED); }

static void loop_member(void *data) {
  long from, to;
  while (next_chunk(&from, &to))
    for (long i = from; i < to; i++) add((int *)data + i);
  GOMP_loop_end_nowait();
}

static void expect_each(int count, int times) {
  for (int i = 0; i < count; i++) {
    EXPECT_EQ(hits[i], times);
    hits[i] = 0;
  }
}

static void sections_member(void *data) {
  (void)data;
  for (unsigned section = GOMP_sections_start(5); section != 0; section = GOMP_sections_next())
    add(&hits[section - 1]);
  EXPECT(!GOMP_sections_end_cancel(), "");
  for (int i = 0; i < 5; i++) EXPECT_EQ(__atomic_load_n(&hits[i], __ATOMIC_RELAXED), 1);
}

static void scope_member(void *data) {
  (void)data;
  GOMP_scope_start(NULL);
  add(&hits[omp_get_thread_num()]);
  GOMP_barrier();
  for (int i = 0; i < THREADS; i++) EXPECT_EQ(__atomic_load_n(&hits[i], __ATOMIC_RELAXED), 1);
}

int main(void) {
  omp_set_schedule(omp_sched_dynamic, 7);
  next_chunk = GOMP_loop_static_next;
  GOMP_parallel_loop_static(loop_member, hits, THREADS, 0, COUNT, 1, 7, 0);
  expect_each(COUNT, 1);
  next_chunk = GOMP_loop_runtime_next;
  GOMP_parallel_loop_runtime(loop_member, hits, THREADS, 0, COUNT, 1, 0);
  expect_each(COUNT, 1);
  next_chunk = GOMP_loop_nonmonotonic_runtime_next;
  GOMP_parallel_loop_nonmonotonic_runtime(loop_member, hits, THREADS, 0, COUNT, 1, 0);
  expect_each(COUNT, 1);
  GOMP_parallel(sections_member, NULL, THREADS, 0);
  expect_each(5, 1);
  GOMP_parallel(scope_member, NULL, THREADS, 0);
  expect_each(THREADS, 1);
  return 0;
}
