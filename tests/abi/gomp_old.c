// SPDX-License-Identifier: Apache-2.0
// Entry points that GCC emitted before version 4.9 or 7: a region in two halves, with the
// encountering thread's share as a call in between, and target constructs without flags.
#include <omp.h>
#include <stdbool.h>
#include <stddef.h>

#include "expect.h"

typedef void body(void *);

void GOMP_parallel_start(body *, void *, unsigned);
void GOMP_parallel_end(void);
void GOMP_parallel_loop_static_start(body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_dynamic_start(body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_guided_start(body *, void *, unsigned, long, long, long, long);
void GOMP_parallel_loop_runtime_start(body *, void *, unsigned, long, long, long);
void GOMP_parallel_sections_start(body *, void *, unsigned, unsigned);
bool GOMP_loop_static_next(long *, long *);
bool GOMP_loop_dynamic_next(long *, long *);
bool GOMP_loop_guided_next(long *, long *);
bool GOMP_loop_runtime_next(long *, long *);
void GOMP_loop_end_nowait(void);
unsigned GOMP_sections_next(void);
void GOMP_sections_end_nowait(void);
void GOMP_target(int, body *, const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_target_data(int, const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_target_end_data(void);
void GOMP_target_update(int, const void *, size_t, void **, size_t *, unsigned char *);
void GOMP_teams(unsigned, unsigned);
void GOMP_offload_register(const void *, int, const void *);
void GOMP_offload_unregister(const void *, int, const void *);
void GOMP_offload_register_ver(unsigned, const void *, int, const void *);
void GOMP_offload_unregister_ver(unsigned, const void *, int, const void *);

enum { COUNT = 100 };

static int hits[COUNT];
static int members, level;
static bool (*next_chunk)(long *, long *);

static void add(int *counter) { __atomic_add_fetch(counter, 1, __ATOMIC_RELAXED); }

static void member(void *data) {
  EXPECT(data == hits);
  add(&members);
  __atomic_store_n(&level, omp_get_level(), __ATOMIC_RELAXED);
}

static void loop_member(void *data) {
  member(data);
  long from, to;
  while (next_chunk(&from, &to))
    for (long i = from; i > to; i -= 2) add(&hits[i]);
  GOMP_loop_end_nowait();
}

static void sections_member(void *data) {
  member(data);
  for (unsigned section; (section = GOMP_sections_next()) != 0;) add(&hits[section]);
  GOMP_sections_end_nowait();
}

static void check_loop(bool (*next)(long *, long *), int wanted_members) {
  EXPECT(next == next_chunk);
  EXPECT_EQ(members, wanted_members);
  for (int i = 0; i < COUNT; i++) {
    EXPECT(hits[i] == (i > 1 && i % 2 == 1), "iteration %d ran %d times", i, hits[i]);
    hits[i] = 0;
  }
  members = 0;
}

#define HALVES(start, function, ...) \
  start(function, hits, __VA_ARGS__); \
  function(hits);                     \
  GOMP_parallel_end();                \
  EXPECT_EQ(omp_get_level(), outer);

static void regions(int outer) {
  HALVES(GOMP_parallel_start, member, 3)
  EXPECT_EQ(members, 3);
  EXPECT_EQ(level, outer + 1);
  members = 0;
  HALVES(GOMP_parallel_start, member, 1)
  EXPECT_EQ(members, 1);
  EXPECT_EQ(level, outer + 1);
  members = 0;
  next_chunk = GOMP_loop_static_next;
  HALVES(GOMP_parallel_loop_static_start, loop_member, 3, 99, 1, -2, 4)
  check_loop(GOMP_loop_static_next, 3);
  next_chunk = GOMP_loop_dynamic_next;
  HALVES(GOMP_parallel_loop_dynamic_start, loop_member, 3, 99, 1, -2, 4)
  check_loop(GOMP_loop_dynamic_next, 3);
  next_chunk = GOMP_loop_guided_next;
  HALVES(GOMP_parallel_loop_guided_start, loop_member, 1, 99, 1, -2, 4)
  check_loop(GOMP_loop_guided_next, 1);
  next_chunk = GOMP_loop_runtime_next;
  HALVES(GOMP_parallel_loop_runtime_start, loop_member, 2, 99, 1, -2)
  check_loop(GOMP_loop_runtime_next, 2);
  HALVES(GOMP_parallel_sections_start, sections_member, 4, 20)
  EXPECT_EQ(members, 4);
  for (int i = 0; i < COUNT; i++) {
    EXPECT(hits[i] == (i >= 1 && i <= 20), "section %d ran %d times", i, hits[i]);
    hits[i] = 0;
  }
  members = 0;
}

static void region_on_host(void *data) {
  void **addresses = data;
  EXPECT(addresses[0] == hits && addresses[1] == &members);
  GOMP_teams(4, 2);
  EXPECT(omp_is_initial_device() && omp_get_level() == 0 && !omp_in_parallel());
  hits[0] = 1;
}

static void targets(void) {
  void *addresses[] = {hits, &members};
  size_t sizes[] = {sizeof hits, sizeof members};
  unsigned char kinds[] = {3, 3};
  GOMP_target_data(-1, NULL, 2, addresses, sizes, kinds);
  GOMP_target(-1, region_on_host, NULL, 2, addresses, sizes, kinds);
  GOMP_target_update(-1, NULL, 2, addresses, sizes, kinds);
  GOMP_target_end_data();
  EXPECT_EQ(hits[0], 1);
  hits[0] = 0;
}

int main(void) {
  static const char table[64];
  GOMP_offload_register(table, 5, table);
  GOMP_offload_register_ver(0x10001, table, 5, table);
  omp_set_dynamic(0);
  omp_set_max_active_levels(3);
  regions(0);
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    regions(1);
#pragma omp critical
    targets();
    EXPECT_EQ(omp_get_level(), 1);
  }
  targets();
  GOMP_offload_unregister_ver(0x10001, table, 5, table);
  GOMP_offload_unregister(table, 5, table);
  return 0;
}
