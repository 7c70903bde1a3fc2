// SPDX-License-Identifier: Apache-2.0
// One half of a program of two compilers. HALF is gnu_half or llvm_half.
#include "work.h"

static int thread_num(void) { return omp_get_thread_num(); }

// A region whose threads all call the body.
static void region(int threads, Body body, void *argument) {
#pragma omp parallel num_threads(threads)
  body(argument);
}

// An orphaned loop with a reduction: the team may be the other half's.
static long loop_sum(const int *values, int count) {
  static long sum;
#pragma omp single
  sum = 0;
#pragma omp for schedule(dynamic, 3) reduction(+ : sum)
  for (int i = 0; i < count; i++) sum += values[i];
  return sum;
}

// Leaves of a tree whose levels belong to the halves in turn.
static long task_tree(int depth, const struct Half *other) {
  if (depth == 0) return 1;
  long left, right;
#pragma omp task shared(left)
  left = other->task_tree(depth - 1, &HALF);
#pragma omp task shared(right) untied
  right = other->task_tree(depth - 1, &HALF);
#pragma omp taskwait
  return left + right;
}

// A task that is not waited for.
static void task(Body body, void *argument) {
#pragma omp task firstprivate(body, argument)
  body(argument);
}

static void group(Body body, void *argument) {
#pragma omp taskgroup
  body(argument);
}

// A taskgroup that reduces shared_sum, around a body whose tasks contribute.
static void task_reduction(Body body, void *argument) {
#pragma omp taskgroup task_reduction(+ : shared_sum)
  body(argument);
}

// A task of the innermost such taskgroup.
static void contribute(long value) {
#pragma omp task in_reduction(+ : shared_sum) firstprivate(value)
  shared_sum += value;
}

static int private_counter;
#pragma omp threadprivate(private_counter)

static int *counter(void) { return &private_counter; }

static void critical(Body body, void *argument) {
#pragma omp critical
  body(argument);
}

static void set_lock(void *lock) { omp_set_lock((omp_lock_t *)lock); }
static void unset_lock(void *lock) { omp_unset_lock((omp_lock_t *)lock); }

static void barrier(void) {
#pragma omp barrier
}

// 1 on one thread of the team.
static int single(void) {
  int mine = 0;
#pragma omp single nowait
  mine = 1;
  return mine;
}

// Whoever gets the event fulfils it.
static omp_event_handle_t detached(int *begun) {
  omp_event_handle_t event;
  omp_event_handle_t *volatile place = &event;
#pragma omp task detach(event)
  __atomic_fetch_add(begun, 1, __ATOMIC_SEQ_CST);
  return *place;
}

#define STRING(name) #name
#define NAME_OF(half) STRING(half)

const struct Half HALF = {
    .name = NAME_OF(HALF),
    .thread_num = thread_num,
    .region = region,
    .loop_sum = loop_sum,
    .task_tree = task_tree,
    .task = task,
    .group = group,
    .task_reduction = task_reduction,
    .contribute = contribute,
    .counter = counter,
    .critical = critical,
    .set_lock = set_lock,
    .unset_lock = unset_lock,
    .barrier = barrier,
    .single = single,
    .detached = detached,
};
