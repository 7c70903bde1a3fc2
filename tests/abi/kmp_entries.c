// SPDX-License-Identifier: Apache-2.0
// Entry points that neither clang nor the other programs here call: what they say about threads and
// tasks, locks, allocators, collapsed nests, threadprivate data, loops distributed in parallel.
#include <stdbool.h>
#include <string.h>

#include "expect.h"
#include "kmp_entry.h"

void __kmpc_begin(ident *, int32_t flags), __kmpc_end(ident *);
int32_t __kmpc_global_num_threads(ident *), __kmpc_bound_num_threads(ident *);
int32_t __kmpc_in_parallel(ident *), __kmpc_ok_to_fork(ident *);
uint64_t __kmpc_get_taskid(void), __kmpc_get_parent_taskid(void);
void __kmpc_scope(ident *, int32_t, void *), __kmpc_end_scope(ident *, int32_t, void *);
void __kmpc_pop_num_threads(ident *, int32_t gtid);
void __kmpc_push_num_threads_list_strict(ident *, int32_t gtid, uint32_t length, int32_t *list,
                                         int32_t severity, const char *message);
int32_t __kmpc_get_target_offload(void), __kmpc_pause_resource(int32_t level);
void **__kmpc_omp_get_target_async_handle_ptr(int32_t gtid);
bool __kmpc_omp_has_task_team(int32_t gtid);
int32_t __kmpc_omp_task_parts(ident *, int32_t gtid, task *);
void __kmpc_proxy_task_completed(int32_t gtid, task *);
void *__kmpc_task_allow_completion_event(ident *, int32_t gtid, task *);
void omp_fulfill_event_(void *);  // Fortran's, by value

#define LOCK_ENTRIES(kind)                                                              \
  void __kmpc_init_##kind(ident *, int32_t, void *);                                    \
  void __kmpc_init_##kind##_with_hint(ident *, int32_t, void *, uintptr_t hint);        \
  void __kmpc_destroy_##kind(ident *, int32_t, void *);                                 \
  void __kmpc_set_##kind(ident *, int32_t, void *);                                     \
  void __kmpc_unset_##kind(ident *, int32_t, void *);                                   \
  int32_t __kmpc_test_##kind(ident *, int32_t, void *);
LOCK_ENTRIES(lock)
LOCK_ENTRIES(nest_lock)

typedef uintptr_t handle;
void *__kmpc_calloc(int32_t gtid, size_t count, size_t size, handle);
void *__kmpc_realloc(int32_t gtid, void *, size_t size, handle, handle from);
void __kmpc_free(int32_t gtid, void *, handle);
handle __kmpc_init_allocator(int32_t gtid, handle space, int32_t count, void *traits);
void __kmpc_destroy_allocator(int32_t gtid, handle);
void __kmpc_set_default_allocator(int32_t gtid, handle);
handle __kmpc_get_default_allocator(int32_t gtid);

typedef struct {
  int32_t type, iv_type, compare, outer;
  uint64_t lower0, lower1, upper0, upper1;
  int64_t step;
  uint64_t trip_count;
} loop_bounds;
enum { kSigned32 = 5, kLess = 3 };
uint64_t __kmpc_process_loop_nest_rectang(ident *, int32_t gtid, loop_bounds *, int32_t depth);
void __kmpc_calc_original_ivs_rectang(ident *, uint64_t index, const loop_bounds *, uint64_t *ivs,
                                      int32_t depth);
int32_t __kmpc_for_collapsed_init(ident *, int32_t gtid, loop_bounds *nest, loop_bounds *part,
                                  int32_t depth, int32_t *last);

void *__kmpc_threadprivate(ident *, int32_t gtid, void *original, size_t size);
void __kmpc_threadprivate_register_vec(ident *, void *original, void *(*construct)(void *, size_t),
                                       void *(*copy_construct)(void *, void *, size_t),
                                       void (*destroy)(void *, size_t), size_t count);

void call_body(int32_t *gtid, int32_t *number, void (*body)(void)) {
  (void)gtid, (void)number;
  body();
}

static int32_t gtid(void) { return __kmpc_global_thread_num(NULL); }

static int members;

static void state_inside(void) {
  EXPECT_EQ(__kmpc_bound_num_threads(NULL), 3);
  EXPECT_EQ(__kmpc_in_parallel(NULL), 1);
  EXPECT(__kmpc_get_taskid() != 0, "");
  EXPECT(__kmpc_get_taskid() != __kmpc_get_parent_taskid(), "");
  __kmpc_scope(NULL, gtid(), NULL);
  __atomic_add_fetch(&members, 1, __ATOMIC_RELAXED);
  __kmpc_end_scope(NULL, gtid(), NULL);
  __kmpc_barrier(NULL, gtid());
  EXPECT_EQ(members, 3);
}

static void check_state(void) {
  __kmpc_begin(NULL, 0);
  EXPECT_EQ(__kmpc_ok_to_fork(NULL), 1);
  EXPECT_EQ(__kmpc_in_parallel(NULL), 0);
  EXPECT_EQ(__kmpc_bound_num_threads(NULL), 1);
  run_in_region(3, state_inside);
  __kmpc_pop_num_threads(NULL, gtid());
  EXPECT(__kmpc_global_num_threads(NULL) >= 1, "");
  EXPECT_EQ(__kmpc_get_target_offload(), 1);
  EXPECT(__kmpc_omp_get_target_async_handle_ptr(gtid()) == NULL, "");
  EXPECT_EQ(__kmpc_omp_has_task_team(gtid()), 0);
  EXPECT_EQ(__kmpc_pause_resource(1), 0);
  __kmpc_end(NULL);
}

static void two_members(int32_t *number, int32_t *bound, int *inner) {
  (void)number, (void)bound;
  EXPECT_EQ(omp_get_num_threads(), 2);
  EXPECT_EQ(omp_get_max_threads(), 5);
  __atomic_add_fetch(inner, 1, __ATOMIC_RELAXED);
}

static void check_list(void) {
  int32_t list[] = {2, 5};
  int inner = 0;
  __kmpc_push_num_threads_list_strict(NULL, gtid(), 2, list, 1, "not so many");
  __kmpc_fork_call(NULL, 1, (microtask)(void (*)(void))two_members, &inner);
  EXPECT_EQ(inner, 2);
}

static void *lock, *nest_lock;
static int sum;

static void lock_inside(void) {
  for (int i = 0; i < 100; i++) {
    __kmpc_set_lock(NULL, gtid(), &lock);
    sum++;
    EXPECT_EQ(__kmpc_test_lock(NULL, gtid(), &lock), 0);
    __kmpc_unset_lock(NULL, gtid(), &lock);
    __kmpc_set_nest_lock(NULL, gtid(), &nest_lock);
    EXPECT_EQ(__kmpc_test_nest_lock(NULL, gtid(), &nest_lock), 2);
    sum--;
    __kmpc_unset_nest_lock(NULL, gtid(), &nest_lock);
    sum += 2;
    __kmpc_unset_nest_lock(NULL, gtid(), &nest_lock);
  }
}

static void lock_alone(void) {
  for (int i = 0; i < 100; i++) {
    __kmpc_set_nest_lock(NULL, gtid(), &nest_lock);
    __kmpc_set_lock(NULL, gtid(), &lock);
    sum++;
    __kmpc_unset_lock(NULL, gtid(), &lock);
    __kmpc_unset_nest_lock(NULL, gtid(), &nest_lock);
  }
}

static void check_locks(void) {
  __kmpc_init_lock(NULL, gtid(), &lock);
  __kmpc_init_nest_lock(NULL, gtid(), &nest_lock);
  run_in_region(1, lock_inside);
  EXPECT_EQ(sum, 200);
  __kmpc_destroy_lock(NULL, gtid(), &lock);
  __kmpc_destroy_nest_lock(NULL, gtid(), &nest_lock);
  __kmpc_init_lock_with_hint(NULL, gtid(), &lock, omp_sync_hint_contended);
  __kmpc_init_nest_lock_with_hint(NULL, gtid(), &nest_lock, omp_sync_hint_none);
  run_in_region(4, lock_alone);
  EXPECT_EQ(sum, 600);
  EXPECT_EQ(__kmpc_test_lock(NULL, gtid(), &lock), 1);
  __kmpc_unset_lock(NULL, gtid(), &lock);
}

static void check_allocators(void) {
  handle mine = __kmpc_init_allocator(gtid(), omp_default_mem_space, 0, NULL);
  EXPECT(mine != 0, "");
  handle before = __kmpc_get_default_allocator(gtid());
  __kmpc_set_default_allocator(gtid(), mine);
  EXPECT(__kmpc_get_default_allocator(gtid()) == mine, "");
  EXPECT((handle)omp_get_default_allocator() == mine, "");
  char *block = __kmpc_calloc(gtid(), 10, 10, 0);
  for (int i = 0; i < 100; i++) EXPECT_EQ(block[i], 0);
  memset(block, 7, 100);
  block = __kmpc_realloc(gtid(), block, 10000, mine, mine);
  for (int i = 0; i < 100; i++) EXPECT_EQ(block[i], 7);
  __kmpc_free(gtid(), block, mine);
  __kmpc_set_default_allocator(gtid(), before);
  __kmpc_destroy_allocator(gtid(), mine);
}

static loop_bounds up_to(int32_t end) {
  loop_bounds bounds = {kSigned32, kSigned32, kLess, 0, 0, 0, (uint64_t)end, 0, 1, 0};
  return bounds;
}

static int cells[4][5];

static void collapsed_inside(void) {
  loop_bounds nest[2] = {up_to(4), up_to(5)}, part[2];
  int32_t last;
  if (!__kmpc_for_collapsed_init(NULL, gtid(), nest, part, 2, &last)) return;
  uint64_t i = part[0].lower0, j = part[1].lower0;
  for (;;) {
    __atomic_add_fetch(&cells[i][j], 1, __ATOMIC_RELAXED);
    if (i == part[0].upper0 && j == part[1].upper0) break;
    if (++j == 5) j = 0, i++;
  }
  EXPECT_EQ(last, i == 3 && j == 4);
}

static void check_nests(void) {
  loop_bounds nest[2] = {up_to(4), up_to(5)};
  EXPECT_EQ(__kmpc_process_loop_nest_rectang(NULL, gtid(), nest, 2), 20);
  for (uint64_t index = 0; index < 20; index++) {
    uint64_t ivs[2];
    __kmpc_calc_original_ivs_rectang(NULL, index, nest, ivs, 2);
    EXPECT_EQ(ivs[0] * 5 + ivs[1], index);
  }
  run_in_region(3, collapsed_inside);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 5; j++) EXPECT_EQ(cells[i][j], 1);
}

static int original = 41, vector[3], built, destroyed;

static void *construct(void *memory, size_t count) {
  EXPECT_EQ(count, 3);
  for (size_t i = 0; i < count; i++) ((int *)memory)[i] = 9;
  __atomic_add_fetch(&built, 1, __ATOMIC_RELAXED);
  return memory;
}

static void destroy(void *memory, size_t count) {
  (void)memory, (void)count;
  __atomic_add_fetch(&destroyed, 1, __ATOMIC_RELAXED);
}

static void threadprivate_inside(void) {
  int number = omp_get_thread_num();
  int *mine = __kmpc_threadprivate(NULL, gtid(), &original, sizeof original);
  EXPECT_EQ(*mine, 41);
  *mine = number;
  int *elements = __kmpc_threadprivate(NULL, gtid(), vector, sizeof vector);
  if (number != 0)
    for (int i = 0; i < 3; i++) EXPECT_EQ(elements[i], 9);
  __kmpc_barrier(NULL, gtid());
  EXPECT_EQ(*mine, number);
  EXPECT(__kmpc_threadprivate(NULL, gtid(), &original, sizeof original) == (void *)mine, "");
  __kmpc_barrier(NULL, gtid());
  if (number == 0) *mine = 41;
}

static void check_threadprivate(void) {
  __kmpc_threadprivate_register_vec(NULL, vector, construct, NULL, destroy, 3);
  run_in_region(3, threadprivate_inside);
  EXPECT(built >= 2, "");
}

static int parts;

static int32_t run_task(int32_t thread, void *argument) {
  (void)thread, (void)argument;
  parts++;
  return 0;
}

static int32_t run_proxy(int32_t thread, void *argument) {
  __kmpc_proxy_task_completed(thread, argument);
  parts++;
  return 0;
}

static void tasks_inside(void) {
  task *whole = __kmpc_omp_task_alloc(NULL, gtid(), kTied, sizeof(task), 0, run_task);
  EXPECT_EQ(__kmpc_omp_task_parts(NULL, gtid(), whole), 0);
  __kmpc_omp_taskwait(NULL, gtid());
  EXPECT_EQ(parts, 1);
  task *proxy = __kmpc_omp_task_alloc(NULL, gtid(), kTied | kProxy, sizeof(task), 0, run_proxy);
  __kmpc_omp_task(NULL, gtid(), proxy);
  __kmpc_omp_taskwait(NULL, gtid());
  EXPECT_EQ(parts, 2);
  task *waits = __kmpc_omp_task_alloc(NULL, gtid(), kTied | kDetachable, sizeof(task), 0, run_task);
  void *event = __kmpc_task_allow_completion_event(NULL, gtid(), waits);
  __kmpc_omp_task(NULL, gtid(), waits);
  omp_fulfill_event_(event);
  __kmpc_omp_taskwait(NULL, gtid());
  EXPECT_EQ(parts, 3);
}

// A schedule of parallel loops inside of distribute, in a league of one team.
#define DISTRIBUTED(suffix, T, S)                                                              \
  void __kmpc_team_static_init_##suffix(ident *, int32_t, int32_t *, T *, T *, S *, S, S);     \
  void __kmpc_dispatch_init_##suffix(ident *, int32_t, int32_t, T, T, S, S);                   \
  int32_t __kmpc_dispatch_next_##suffix(ident *, int32_t, int32_t *, T *, T *, S *);           \
  void __kmpc_dispatch_fini_##suffix(ident *, int32_t);                                        \
  static int hits_##suffix;                                                                    \
  static void loop_inside_##suffix(void) {                                                     \
    int32_t last = 0;                                                                          \
    T lower = 0, upper = 99;                                                                   \
    S stride = 0;                                                                              \
    __kmpc_team_static_init_##suffix(NULL, gtid(), &last, &lower, &upper, &stride, 1, 10);     \
    EXPECT_EQ(lower, 0);                                                                       \
    EXPECT_EQ(upper, 9);                                                                       \
    EXPECT_EQ(stride, 10);                                                                     \
    __kmpc_dispatch_init_##suffix(NULL, gtid(), 35, 0, 99, 1, 7);                              \
    while (__kmpc_dispatch_next_##suffix(NULL, gtid(), &last, &lower, &upper, &stride)) {      \
      __atomic_add_fetch(&hits_##suffix, (int)(upper - lower + 1), __ATOMIC_RELAXED);          \
      __kmpc_dispatch_fini_##suffix(NULL, gtid());                                             \
    }                                                                                          \
  }
DISTRIBUTED(4, int32_t, int32_t)
DISTRIBUTED(4u, uint32_t, int32_t)
DISTRIBUTED(8, int64_t, int64_t)
DISTRIBUTED(8u, uint64_t, int64_t)

int main(void) {
  check_state();
  check_list();
  check_locks();
  check_allocators();
  check_nests();
  check_threadprivate();
  run_in_region(1, tasks_inside);
  run_in_region(3, loop_inside_4);
  run_in_region(3, loop_inside_4u);
  run_in_region(3, loop_inside_8);
  run_in_region(3, loop_inside_8u);
  EXPECT_EQ(hits_4 + hits_4u + hits_8 + hits_8u, 400);
  return 0;
}
