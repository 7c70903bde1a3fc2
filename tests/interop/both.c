// SPDX-License-Identifier: Apache-2.0
// One process, two compilers: whatever one half begins, the other takes part in. Built by either
// compiler; the two halves are work.c, one in a shared library.
#include "expect.h"
#include "work.h"

enum { kValues = 1000, kSum = kValues * (kValues - 1) / 2 };

struct Pair {
  const struct Half *here, *there;
};

static int values[kValues];

static void check_identity(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  EXPECT_EQ(pair->here->thread_num(), pair->there->thread_num());
  EXPECT_EQ(pair->here->thread_num(), omp_get_thread_num());
}

// The team of one half works in the other's orphaned constructs.
static void check_worksharing(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  for (int round = 0; round < 3; round++) {
    EXPECT_EQ(pair->there->loop_sum(values, kValues), kSum);
    pair->here->barrier();
    EXPECT_EQ(pair->here->loop_sum(values, kValues), kSum);
    pair->there->barrier();
  }
}

static int singles;

static void check_single(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  for (int round = 0; round < 20; round++) {
    if (pair->here->single()) __atomic_fetch_add(&singles, 1, __ATOMIC_SEQ_CST);
    if (pair->there->single()) __atomic_fetch_add(&singles, 1, __ATOMIC_SEQ_CST);
  }
}

static int inner_members;

static void count_inner(void *argument) {
  check_identity(argument);
  __atomic_fetch_add(&inner_members, 1, __ATOMIC_SEQ_CST);
}

// A region of the other half inside a region of this one.
static void open_inner(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  int outer = omp_get_thread_num();
  pair->there->region(3, count_inner, argument);
  EXPECT_EQ(omp_get_thread_num(), outer);
  pair->here->region(2, count_inner, argument);
  EXPECT_EQ(omp_get_level(), 1);
}

static void run_tree(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  if (pair->here->single()) EXPECT_EQ(pair->there->task_tree(10, pair->here), 1024);
}

static int finished_tasks;

static void finish_task(void *argument) {
  (void)argument;
  __atomic_fetch_add(&finished_tasks, 1, __ATOMIC_SEQ_CST);
}

// Tasks of the other half belong to this half's group.
static void make_tasks(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  for (int i = 0; i < 50; i++) {
    pair->here->task(finish_task, NULL);
    pair->there->task(finish_task, NULL);
  }
}

static void check_group(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  if (!pair->here->single()) return;
  finished_tasks = 0;
  pair->here->group(make_tasks, argument);
  EXPECT_EQ(finished_tasks, 100);
}

long shared_sum;

// GCC's tasks can take part in Clang's reduction. GCC's own reductions begin each copy in their tasks.
static void contribute_both(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  const struct Half *other = pair->here == &llvm_half ? pair->there : pair->here;
  for (int i = 1; i <= 40; i++) {
    pair->here->contribute(i);
    other->contribute(1000 * i);
  }
}

static void check_task_reduction(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  if (!pair->here->single()) return;
  shared_sum = 7;
  pair->here->task_reduction(contribute_both, argument);
  EXPECT_EQ(shared_sum, 7 + 820 * 1001);
}

// Each half's threadprivate variable keeps its value in the other half's next region.
static void set_counters(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  *pair->here->counter() = 100 + omp_get_thread_num();
  *pair->there->counter() = 200 + omp_get_thread_num();
  EXPECT(pair->here->counter() != pair->there->counter(), "one variable for both");
}

static void read_counters(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  EXPECT_EQ(*pair->here->counter(), 100 + omp_get_thread_num());
  EXPECT_EQ(*pair->there->counter(), 200 + omp_get_thread_num());
}

static omp_lock_t lock;
static int guarded;

static void under_lock(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  for (int i = 0; i < 100; i++) {
    pair->here->set_lock(&lock);
    int seen = guarded;
    guarded = seen + 1;
    pair->there->unset_lock(&lock);
    pair->there->set_lock(&lock);
    guarded++;
    pair->here->unset_lock(&lock);
  }
}

static void check_event(void *argument) {
  const struct Pair *pair = (const struct Pair *)argument;
  if (!pair->here->single()) return;
  int begun = 0;
  omp_event_handle_t event = pair->there->detached(&begun);
  omp_fulfill_event(event);
#pragma omp taskwait
  EXPECT_EQ(begun, 1);
}

static void check_pair(struct Pair pair, int threads) {
  pair.here->region(threads, check_identity, &pair);
  pair.here->region(threads, check_worksharing, &pair);

  singles = 0;
  pair.here->region(threads, check_single, &pair);
  EXPECT_EQ(singles, 40);

  omp_set_max_active_levels(2);
  inner_members = 0;
  pair.here->region(threads, open_inner, &pair);
  EXPECT_EQ(inner_members, 5 * threads);
  omp_set_max_active_levels(1);

  pair.here->region(threads, run_tree, &pair);
  pair.here->region(threads, check_group, &pair);
  pair.here->region(threads, check_task_reduction, &pair);

  pair.here->region(threads, set_counters, &pair);
  pair.there->region(threads, read_counters, &pair);
  pair.here->region(threads, read_counters, &pair);

  omp_init_lock(&lock);
  guarded = 0;
  pair.here->region(threads, under_lock, &pair);
  EXPECT_EQ(guarded, 200 * threads);
  omp_destroy_lock(&lock);

  pair.here->region(threads, check_event, &pair);
}

int main(void) {
  int threads = omp_get_max_threads();
  omp_set_dynamic(0);
  for (int i = 0; i < kValues; i++) values[i] = i;
  for (int round = 0; round < 3; round++) {
    check_pair((struct Pair){&gnu_half, &llvm_half}, threads);
    check_pair((struct Pair){&llvm_half, &gnu_half}, threads);
  }
  return 0;
}
