// SPDX-License-Identifier: Apache-2.0
// Tasks of Clang's interface, called by name: untied tasks in parts, destructors, proxies, taskloop
// and task reductions.
#include <pthread.h>
#include <string.h>

#include "expect.h"
#include "kmp_entry.h"

void call_body(int32_t *gtid, int32_t *number, void (*body)(void)) {
  (void)gtid, (void)number;
  body();
}

static int32_t gtid(void) { return __kmpc_global_thread_num(NULL); }

typedef struct {
  task head;
  int parts;
} parted;

static int parts_run, destroyed, complete_tasks;

static int32_t destroy(int32_t thread, void *argument) {
  (void)thread;
  EXPECT_EQ(((parted *)argument)->parts, 5);
  __atomic_fetch_add(&destroyed, 1, __ATOMIC_SEQ_CST);
  return 0;
}

// Five parts, the last of which ends the task.
static int32_t run_part(int32_t thread, void *argument) {
  parted *mine = argument;
  EXPECT_EQ(thread, gtid());
  EXPECT_EQ(mine->head.part, mine->parts);
  mine->parts++;
  __atomic_fetch_add(&parts_run, 1, __ATOMIC_SEQ_CST);
  if (mine->parts == 5) return 0;
  mine->head.part = mine->parts;
  __kmpc_omp_task(NULL, thread, &mine->head);
  return 0;
}

static task *new_parted(int flags) {
  task *made = __kmpc_omp_task_alloc(NULL, gtid(), kDestructors | flags, sizeof(parted), 0, run_part);
  ((parted *)made)->parts = 0;
  made->data1.destructors = destroy;
  return made;
}

static void untied_parts(void) {
  if (omp_get_thread_num() != 0) return;
  parts_run = destroyed = 0;
  for (int i = 0; i < 300; i++) __kmpc_omp_task(NULL, gtid(), new_parted(0));
  __kmpc_omp_taskwait(NULL, gtid());
  EXPECT_EQ(parts_run, 1500);
  EXPECT_EQ(destroyed, 300);
  task *undeferred = new_parted(0);
  __kmpc_omp_task_begin_if0(NULL, gtid(), undeferred);
  run_part(gtid(), undeferred);
  __kmpc_omp_task_complete_if0(NULL, gtid(), undeferred);
  EXPECT_EQ(parts_run, 1505);
  EXPECT_EQ(destroyed, 301);
  __kmpc_omp_task(NULL, gtid(), new_parted(kFinal));
  __kmpc_omp_taskwait(NULL, gtid());
  EXPECT_EQ(parts_run, 1510);
  EXPECT_EQ(destroyed, 302);
}

static int32_t begin_proxy(int32_t thread, void *argument) {
  (void)thread, (void)argument;
  __atomic_fetch_add(&complete_tasks, 1, __ATOMIC_SEQ_CST);
  return 0;
}

static void *complete_later(void *argument) {
  usleep(300);
  __atomic_fetch_add(&complete_tasks, 1, __ATOMIC_SEQ_CST);
  __kmpc_proxy_task_completed_ooo(argument);
  return NULL;
}

static void proxies(void) {
  if (omp_get_thread_num() != 0) return;
  for (int i = 0; i < 5; i++) {
    complete_tasks = 0;
    pthread_t completer;
    task *proxy = __kmpc_omp_task_alloc(NULL, gtid(), kTied | kProxy, sizeof(task), 0, begin_proxy);
    EXPECT_EQ(pthread_create(&completer, NULL, complete_later, proxy), 0);
    __kmpc_omp_task(NULL, gtid(), proxy);
    __kmpc_omp_taskwait(NULL, gtid());
    EXPECT_EQ(complete_tasks, 2);
    pthread_join(completer, NULL);
  }
}

typedef struct {
  task head;
  uint64_t lower, upper;
  int64_t step;
  int32_t last;
  void *reductions;
} looping;

static int hits[1000], lasts;

static int32_t run_loop(int32_t thread, void *argument) {
  (void)thread;
  looping *mine = argument;
  for (int64_t i = (int64_t)mine->lower; mine->step > 0 ? i <= (int64_t)mine->upper
                                                        : i >= (int64_t)mine->upper;
       i += mine->step)
    __atomic_fetch_add(&hits[i], 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&lasts, mine->last, __ATOMIC_SEQ_CST);
  return 0;
}

static void duplicate(task *copy, task *pattern, int32_t last) {
  EXPECT(copy != pattern, "the pattern itself");
  ((looping *)copy)->last = last;
}

static void taskloop(int64_t lower, int64_t upper, int64_t step, int clause, int value) {
  memset(hits, 0, sizeof hits);
  lasts = 0;
  looping *pattern = (looping *)__kmpc_omp_task_alloc(NULL, gtid(), kTied, sizeof(looping), 8, run_loop);
  pattern->lower = (uint64_t)lower;
  pattern->upper = (uint64_t)upper;
  pattern->step = step;
  pattern->last = 0;
  __kmpc_taskloop(NULL, gtid(), &pattern->head, 1, &pattern->lower, &pattern->upper, step, 0, clause,
                  (uint64_t)value, (void *)duplicate);
  for (int64_t i = 0; i < 1000; i++) {
    int inside = step > 0 ? i >= lower && i <= upper && (i - lower) % step == 0
                          : i <= lower && i >= upper && (lower - i) % -step == 0;
    EXPECT(hits[i] == inside, "iteration %d ran %d times", (int)i, hits[i]);
  }
  EXPECT_EQ(lasts, 1);
}

static void taskloops(void) {
  if (omp_get_thread_num() != 0) return;
  for (int value = 1; value < 50; value += 12) {
    taskloop(3, 903, 4, 1, value);
    taskloop(903, 3, -4, 2, value);
    taskloop(5, 5, 1, 0, 0);
  }
}

static long total;
static void zero(void *copy) { *(long *)copy = 0; }
static void add(void *into, void *from) { *(long *)into += *(long *)from; }
static reduction_item item = {&total, sizeof total, zero, NULL, add, 0};

static int32_t contribute(int32_t thread, void *argument) {
  (void)argument;
  ++*(long *)__kmpc_task_reduction_get_th_data(thread, NULL, &total);
  return 0;
}

static void make_contributions(int count) {
  for (int i = 0; i < count; i++)
    __kmpc_omp_task(NULL, gtid(),
                    __kmpc_omp_task_alloc(NULL, gtid(), kTied, sizeof(task), 0, contribute));
}

static void reductions(void) {
  if (omp_get_thread_num() == 0) {
    total = 5;
    __kmpc_taskgroup(NULL, gtid());
    __kmpc_task_reduction_init(gtid(), 1, &item);
    make_contributions(200);
    __kmpc_end_taskgroup(NULL, gtid());
    EXPECT_EQ(total, 205);
    total = 0;
  }
  __kmpc_barrier(NULL, gtid());
  for (int workshare = 0; workshare < 2; workshare++) {
    __kmpc_task_reduction_modifier_init(NULL, gtid(), workshare, 1, &item);
    make_contributions(30);
    __kmpc_task_reduction_modifier_fini(NULL, gtid(), workshare);
    __kmpc_barrier(NULL, gtid());
  }
  EXPECT_EQ(total, 60L * omp_get_num_threads());
  __kmpc_barrier(NULL, gtid());
}

int main(void) {
  int threads = omp_get_max_threads();
  omp_set_dynamic(0);
  for (int round = 0; round < 3; round++) {
    run_in_region(threads, untied_parts);
    run_in_region(threads, proxies);
    run_in_region(threads, taskloops);
    run_in_region(threads, reductions);
  }
  return 0;
}
