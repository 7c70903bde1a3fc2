// SPDX-License-Identifier: Apache-2.0
// Regions, clauses, reductions and threadprivate variables of Clang's interface, called by name.
#include "expect.h"
#include "kmp_entry.h"

void call_body(int32_t *gtid, int32_t *number, void (*body)(void)) {
  EXPECT_EQ(*gtid, __kmpc_global_thread_num(NULL));
  EXPECT_EQ(*number, omp_get_thread_num());
  body();
}

static int threads, arrived;

static void many(int32_t *gtid, int32_t *number, long a, long b, long c, long d, long e, long f,
                 long g, long h, long i, long j, long k) {
  (void)gtid, (void)number;
  const long given[] = {a, b, c, d, e, f, g, h, i, j, k};
  for (int n = 0; n < 11; n++) EXPECT_EQ(given[n], 10 + n);
  __atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
}

static void few(int32_t *gtid, int32_t *number, long a, long b, long c, long d, long e) {
  (void)gtid, (void)number;
  const long given[] = {a, b, c, d, e};
  for (int n = 0; n < 5; n++) EXPECT_EQ(given[n], 20 + n);
  __atomic_fetch_add(&arrived, 1, __ATOMIC_SEQ_CST);
}

static void check_arguments(void) {
  arrived = 0;
  __kmpc_fork_call(NULL, 11, (microtask)(void (*)(void))many, 10L, 11L, 12L, 13L, 14L, 15L, 16L,
                   17L, 18L, 19L, 20L);
  __kmpc_fork_call(NULL, 5, (microtask)(void (*)(void))few, 20L, 21L, 22L, 23L, 24L);
  EXPECT_EQ(arrived, 2 * threads);
}

static void look_inside_list(int32_t *gtid, int32_t *number) {
  (void)gtid, (void)number;
  EXPECT_EQ(omp_get_num_threads(), 3);
  EXPECT_EQ(omp_get_max_threads(), 5);
}

static void look_inside_bad_list(int32_t *gtid, int32_t *number) {
  (void)gtid, (void)number;
  EXPECT_EQ(omp_get_num_threads(), 1);
  EXPECT_EQ(omp_get_max_threads(), 1);
#pragma omp parallel
  EXPECT_EQ(omp_get_max_threads(), 1);
}

static void check_clauses(void) {
  int32_t list[] = {3, 5, 2}, bad[] = {-1, 0, -7};
  __kmpc_push_num_threads_list(NULL, 0, 3, list);
  __kmpc_fork_call(NULL, 0, (microtask)(void (*)(void))look_inside_list);
  __kmpc_push_num_threads_list(NULL, 0, 3, bad);
  __kmpc_fork_call(NULL, 0, (microtask)(void (*)(void))look_inside_bad_list);
  EXPECT_EQ(omp_get_max_threads(), threads);
}

static void one_thread(int32_t *gtid, int32_t *number, int *value) {
  (void)gtid;
  EXPECT_EQ(*number, 0);
  EXPECT_EQ(omp_get_num_threads(), 1);
  EXPECT_EQ(omp_get_level(), 1);
  ++*value;
}

static void check_serialized(void) {
  int value = 0;
  __kmpc_fork_call_if(NULL, 1, (microtask)(void (*)(void))one_thread, 0, &value);
  EXPECT_EQ(value, 1);
  __kmpc_serialized_parallel(NULL, 0);
  EXPECT_EQ(omp_get_level(), 1);
  EXPECT_EQ(omp_get_num_threads(), 1);
  EXPECT_EQ(omp_in_parallel(), 0);
  __kmpc_end_serialized_parallel(NULL, 0);
  EXPECT_EQ(omp_get_level(), 0);
}

static int teams_seen[4];

static void in_team(int32_t *gtid, int32_t *number) {
  (void)gtid, (void)number;
  EXPECT(omp_get_num_teams() >= 2 && omp_get_num_teams() <= 4, "%d teams", omp_get_num_teams());
  EXPECT_EQ(omp_get_thread_limit(), 2);
  __atomic_fetch_add(&teams_seen[omp_get_team_num()], 1, __ATOMIC_SEQ_CST);
}

static void check_teams(void) {
  for (int i = 0; i < 4; i++) teams_seen[i] = 0;
  __kmpc_push_num_teams_51(NULL, 0, 2, 4, 2);
  __kmpc_fork_teams(NULL, 0, (microtask)(void (*)(void))in_team);
  EXPECT_EQ(teams_seen[0], 1);
  EXPECT_EQ(teams_seen[1], 1);
}

static int primary_passed;

static void meet(void) {
  int32_t gtid = __kmpc_global_thread_num(NULL);
  for (int round = 1; round <= 10; round++) {
    if (__kmpc_barrier_master(NULL, gtid)) {
      EXPECT_EQ(omp_get_thread_num(), 0);
      primary_passed = round;
      __kmpc_end_barrier_master(NULL, gtid);
    }
    EXPECT_EQ(primary_passed, round);
    if (__kmpc_barrier_master_nowait(NULL, gtid)) EXPECT_EQ(omp_get_thread_num(), 0);
    __kmpc_barrier(NULL, gtid);
  }
}

static void assign(void *to, void *from) { *(int *)to = *(int *)from; }

static void copy(void) {
  int32_t gtid = __kmpc_global_thread_num(NULL);
  for (int round = 0; round < 10; round++) {
    int value = -1, did = __kmpc_single(NULL, gtid);
    if (did) value = 70 + round;
    __kmpc_copyprivate(NULL, gtid, sizeof value, &value, assign, did);
    EXPECT_EQ(value, 70 + round);
    int light = -1;
    did = __kmpc_single(NULL, gtid);
    if (did) light = 90 + round;
    int *from = __kmpc_copyprivate_light(NULL, gtid, did ? &light : NULL);
    int seen = *from;
    __kmpc_barrier(NULL, gtid);
    EXPECT_EQ(seen, 90 + round);
  }
}

static critical_name name;
static long sum;

// Both forms, with and without a compiler that prepared an atomic combination.
static void reduce(void) {
  int32_t gtid = __kmpc_global_thread_num(NULL);
  long mine = omp_get_thread_num() + 1;
  void *list[] = {&mine};
  for (int atomic = 0; atomic < 2; atomic++) {
    ident place = {0, atomic ? 0x12 : 0x2, 0, 0, NULL};
    long before = sum;
    __kmpc_barrier(NULL, gtid);
    switch (__kmpc_reduce(&place, gtid, 1, sizeof list, list, assign, &name)) {
      case 1:
        sum += mine;
        __kmpc_end_reduce(&place, gtid, &name);
        break;
      case 2:
        __atomic_fetch_add(&sum, mine, __ATOMIC_SEQ_CST);
        __kmpc_end_reduce(&place, gtid, &name);
        break;
    }
    EXPECT_EQ(sum, before + (long)threads * (threads + 1) / 2);
    __kmpc_barrier(NULL, gtid);
  }
  ident place = {0, 0x2, 0, 0, NULL};
  switch (__kmpc_reduce_nowait(&place, gtid, 1, sizeof list, list, assign, &name)) {
    case 1:
      sum += mine;
      __kmpc_end_reduce_nowait(&place, gtid, &name);
      break;
    case 2:
      __atomic_fetch_add(&sum, mine, __ATOMIC_SEQ_CST);
      break;
  }
}

static int plain = 40, built = 0;
static void **plain_cache, **built_cache;

static void *construct(void *copy) {
  *(int *)copy = 500;
  return copy;
}

static int *plain_copy(void) {
  return __kmpc_threadprivate_cached(NULL, 0, &plain, sizeof plain, &plain_cache);
}

static void set_privates(void) {
  int *mine = plain_copy();
  EXPECT_EQ(*mine, 40);
  *mine += omp_get_thread_num();
  int *other = __kmpc_threadprivate_cached(NULL, 0, &built, sizeof built, &built_cache);
  EXPECT_EQ(*other, omp_get_thread_num() == 0 ? 0 : 500);
  EXPECT((mine == &plain) == (omp_get_thread_num() == 0), "whose is the original?");
}

static void see_privates(void) { EXPECT_EQ(*plain_copy(), 40 + omp_get_thread_num()); }

int main(void) {
  threads = omp_get_max_threads();
  omp_set_dynamic(0);
  EXPECT_EQ(__kmpc_bound_thread_num(NULL), 0);
  check_arguments();
  check_clauses();
  check_serialized();
  check_teams();
  run_in_region(threads, meet);
  run_in_region(threads, copy);
  run_in_region(threads, reduce);
  EXPECT_EQ(sum, 3L * threads * (threads + 1) / 2);
  __kmpc_threadprivate_register(NULL, &built, construct, NULL, NULL);
  run_in_region(threads, set_privates);
  run_in_region(threads, see_privates);
  return 0;
}
