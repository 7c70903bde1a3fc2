// SPDX-License-Identifier: Apache-2.0
// Entry points of Clang's and Intel's interface that these programs call by name.
#ifndef TULLE_TESTS_KMP_ENTRY_H
#define TULLE_TESTS_KMP_ENTRY_H

#include <omp.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  int32_t reserved_1, flags, reserved_2, reserved_3;
  const char *source;
} ident;

typedef int32_t critical_name[8];
typedef void (*microtask)(int32_t *, int32_t *, ...);

void __kmpc_fork_call(ident *, int32_t count, microtask, ...);
void __kmpc_fork_call_if(ident *, int32_t count, microtask, int32_t condition, void *argument);
void __kmpc_fork_teams(ident *, int32_t count, microtask, ...);
void __kmpc_push_num_threads(ident *, int32_t gtid, int32_t threads);
void __kmpc_push_num_threads_list(ident *, int32_t gtid, uint32_t length, int32_t *list);
void __kmpc_push_num_teams_51(ident *, int32_t gtid, int32_t lower, int32_t upper, int32_t limit);
void __kmpc_serialized_parallel(ident *, int32_t gtid);
void __kmpc_end_serialized_parallel(ident *, int32_t gtid);
int32_t __kmpc_global_thread_num(ident *);
int32_t __kmpc_bound_thread_num(ident *);

void __kmpc_barrier(ident *, int32_t gtid);
int32_t __kmpc_barrier_master(ident *, int32_t gtid);
void __kmpc_end_barrier_master(ident *, int32_t gtid);
int32_t __kmpc_barrier_master_nowait(ident *, int32_t gtid);
int32_t __kmpc_single(ident *, int32_t gtid);
void __kmpc_copyprivate(ident *, int32_t gtid, size_t size, void *data,
                        void (*copy)(void *, void *), int32_t did);
void *__kmpc_copyprivate_light(ident *, int32_t gtid, void *data);
int32_t __kmpc_reduce(ident *, int32_t gtid, int32_t count, size_t size, void *data,
                      void (*combine)(void *, void *), critical_name *name);
void __kmpc_end_reduce(ident *, int32_t gtid, critical_name *name);
int32_t __kmpc_reduce_nowait(ident *, int32_t gtid, int32_t count, size_t size, void *data,
                             void (*combine)(void *, void *), critical_name *name);
void __kmpc_end_reduce_nowait(ident *, int32_t gtid, critical_name *name);

void *__kmpc_threadprivate_cached(ident *, int32_t gtid, void *original, size_t size,
                                  void ***cache);
void __kmpc_threadprivate_register(ident *, void *original, void *(*construct)(void *),
                                   void *(*copy_construct)(void *, void *),
                                   void (*destroy)(void *));

typedef struct task {
  void *shareds;
  int32_t (*entry)(int32_t gtid, void *task);
  int32_t part;
  union {
    int32_t priority;
    int32_t (*destructors)(int32_t gtid, void *task);
  } data1, data2;
} task;

enum { kTied = 1, kFinal = 2, kDestructors = 8, kProxy = 16, kDetachable = 64 };

task *__kmpc_omp_task_alloc(ident *, int32_t gtid, int32_t flags, size_t bytes, size_t shareds,
                            int32_t (*entry)(int32_t, void *));
int32_t __kmpc_omp_task(ident *, int32_t gtid, task *);
void __kmpc_omp_task_begin_if0(ident *, int32_t gtid, task *);
void __kmpc_omp_task_complete_if0(ident *, int32_t gtid, task *);
int32_t __kmpc_omp_taskwait(ident *, int32_t gtid);
void __kmpc_taskgroup(ident *, int32_t gtid);
void __kmpc_end_taskgroup(ident *, int32_t gtid);
void __kmpc_proxy_task_completed_ooo(task *);
void __kmpc_taskloop(ident *, int32_t gtid, task *, int32_t deferred, uint64_t *lower,
                     uint64_t *upper, int64_t step, int32_t nogroup, int32_t clause,
                     uint64_t value, void *duplicate);

typedef struct {
  void *shared;
  size_t size;
  void (*init)(void *);
  void (*fini)(void *);
  void (*combine)(void *, void *);
  uint32_t flags;
} reduction_item;

void *__kmpc_task_reduction_init(int32_t gtid, int32_t count, void *items);
void *__kmpc_task_reduction_modifier_init(ident *, int32_t gtid, int32_t workshare, int32_t count,
                                          void *items);
void __kmpc_task_reduction_modifier_fini(ident *, int32_t gtid, int32_t workshare);
void *__kmpc_task_reduction_get_th_data(int32_t gtid, void *group, void *item);

// A region of `threads` threads that all call body().
static inline void run_in_region(int threads, void (*body)(void)) {
  extern void call_body(int32_t *, int32_t *, void (*)(void));
  __kmpc_push_num_threads(NULL, 0, threads);
  __kmpc_fork_call(NULL, 1, (microtask)(void (*)(void))call_body, body);
}

#endif
