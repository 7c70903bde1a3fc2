// SPDX-License-Identifier: Apache-2.0
// Work units: where and when they run, what joins see, ends of all kinds.
#include <stdlib.h>
#include <tulle/glt.h>

#include "expect.h"

enum { MANY = 500 };

static int count;
static void add(void *by) { __atomic_fetch_add(&count, *(int *)by, __ATOMIC_RELAXED); }

static int one = 1;

static void each_runs_once(void) {
  GLT_ult *ults = glt_ult_malloc(MANY);
  GLT_tasklet *tasklets = glt_tasklet_malloc(MANY);
  int threads = glt_get_num_threads();
  count = 0;
  for (int i = 0; i < MANY; i += 2) {
    glt_ult_create(add, &one, &ults[i]);
    glt_ult_create_to(add, &one, &ults[i + 1], i % threads);
    glt_tasklet_create(add, &one, &tasklets[i]);
    glt_tasklet_create_to(add, &one, &tasklets[i + 1], i % threads);
  }
  for (int i = 0; i < MANY; i++) {
    glt_ult_join(&ults[i]);
    glt_ult_join(&ults[i]);  // a handle is good until it is freed
    glt_tasklet_join(&tasklets[i]);
  }
  EXPECT_EQ(count, 2 * MANY);
  for (int i = 0; i < MANY; i++) {
    glt_ult_free(&ults[i]);
    glt_tasklet_free(&tasklets[i]);
    EXPECT(ults[i] == GLT_NULL && tasklets[i] == GLT_NULL);
  }
  free(ults);
  free(tasklets);
}

static void note_thread(void *where) {
  GLT_thread_id id;
  glt_workunit_get_thread_id(&id);
  EXPECT_EQ(id, glt_get_thread_num());
  *(int *)where = id;
}

static void each_runs_where_it_was_sent(void) {
  int threads = glt_get_num_threads();
  for (int i = 0; i < threads; i++) {
    int where = -2;
    GLT_ult ult;
    GLT_tasklet tasklet;
    glt_ult_create_to(note_thread, &where, &ult, i);
    glt_ult_free(&ult);
    EXPECT_EQ(where, i);
    glt_tasklet_create_to(note_thread, &where, &tasklet, threads - 1 - i);
    glt_tasklet_free(&tasklet);
    EXPECT_EQ(where, threads - 1 - i);
  }
  EXPECT_EQ(glt_get_thread_num(), 0);
}

static char order[64];
static int length;
static void write_twice(void *letter) {
  order[length++] = *(char *)letter;
  glt_yield();
  order[length++] = *(char *)letter;
}

static void yields_take_turns(void) {
  GLT_ult a, b, c;
  length = 0;
  glt_ult_create(write_twice, "a", &a);
  glt_ult_create(write_twice, "b", &b);
  glt_ult_create(write_twice, "c", &c);
  glt_yield_to(c);
  order[length++] = '-';
  glt_ult_free(&a);
  glt_ult_free(&b);
  glt_ult_free(&c);
  order[length] = '\0';
  // c first and then the turn of those that waited before it yielded; this one's came before its second part.
  const char *wanted = "cab-cab";
  for (int i = 0; i <= length; i++) EXPECT(order[i] == wanted[i], "order %s", order);
}

static GLT_ult_id known_ids[MANY];
static void note_self(void *handle) {
  GLT_ult self;
  glt_ult_self(&self);
  EXPECT(self == *(GLT_ult *)handle);
  glt_yield();
  glt_tasklet_self(&self);
  EXPECT(self == *(GLT_ult *)handle);
}

static void names_are_its_own(void) {
  GLT_ult *ults = glt_ult_malloc(MANY);
  for (int i = 0; i < MANY; i++) {
    glt_ult_create_to(note_self, &ults[i], &ults[i], i % glt_get_num_threads());
    glt_ult_get_id(&known_ids[i], ults[i]);
    for (int k = 0; k < i; k++) EXPECT(known_ids[k] != known_ids[i]);
  }
  for (int i = 0; i < MANY; i++) glt_ult_free(&ults[i]);
  free(ults);
}

static void leave(void *reached) {
  glt_yield();
  *(int *)reached = 1;
  glt_ult_exit();
  *(int *)reached = 2;
}

static void travel(void *visited) {
  for (int i = 0; i < glt_get_num_threads(); i++) {
    glt_ult_migrate_self_to(i);
    EXPECT_EQ(glt_get_thread_num(), i);
    ++*(int *)visited;
    glt_yield();
    EXPECT_EQ(glt_get_thread_num(), i);
  }
}

static void yield_for_ever(void *steps) {
  for (;; ++*(int *)steps) glt_yield();
}

static void ends_of_all_kinds(void) {
  int reached = 0, visited = 0, steps = 0;
  GLT_ult ult;
  GLT_tasklet tasklet;
  glt_ult_create(leave, &reached, &ult);
  glt_ult_free(&ult);
  EXPECT_EQ(reached, 1);
  glt_ult_create(travel, &visited, &ult);
  glt_ult_free(&ult);
  EXPECT_EQ(visited, glt_get_num_threads());
  glt_ult_migrate_self_to(glt_get_num_threads() - 1);
  EXPECT_EQ(glt_get_thread_num(), 0);  // these frames stay
  count = 0;
  glt_ult_create(add, &one, &ult);
  glt_ult_cancel(ult);
  glt_ult_free(&ult);
  glt_tasklet_create(add, &one, &tasklet);
  glt_tasklet_cancel(tasklet);
  glt_tasklet_free(&tasklet);
  EXPECT_EQ(count, 0);
  glt_ult_create(yield_for_ever, &steps, &ult);
  glt_yield();
  glt_yield();
  glt_ult_cancel(ult);
  glt_ult_free(&ult);
  EXPECT(steps >= 1);
}

struct node {
  int depth, leaves;
};

static void grow(void *argument) {
  struct node *node = argument;
  struct node child[2] = {{node->depth - 1, 0}, {node->depth - 1, 0}};
  GLT_ult ults[2];
  node->leaves = node->depth == 0;
  if (node->depth == 0) return;
  for (int i = 0; i < 2; i++)
    glt_ult_create_to(grow, &child[i], &ults[i], (node->depth + i) % glt_get_num_threads());
  for (int i = 0; i < 2; i++) {
    glt_ult_free(&ults[i]);
    node->leaves += child[i].leaves;
  }
}

static void trees_of_units(void) {
  struct node root = {9, 0};
  grow(&root);
  EXPECT_EQ(root.leaves, 512);
}

// Each joins the next, which has not begun: on whichever stack that is called, its own thread goes on with it.
static void descend(void *depth) {
  long left = (long)depth;
  GLT_ult self, next;
  int thread = glt_get_thread_num();
  glt_ult_self(&self);
  if (left == 0) return;
  glt_ult_create(descend, (void *)(left - 1), &next);
  if (left % 7 == 0) glt_yield();
  glt_ult_free(&next);
  GLT_ult still;
  glt_ult_self(&still);
  EXPECT(still == self);
  EXPECT_EQ(glt_get_thread_num(), thread);
  ++count;
  if (left % 5 == 0) glt_ult_exit();
  if (left % 3 == 0) glt_ult_migrate_self_to((int)left % glt_get_num_threads());
}

static void chains_of_joins(void) {
  for (long depth = 1; depth <= 12; depth++) {
    count = 0;
    descend((void *)((depth - 1) * 35 + 1));
    EXPECT_EQ(count, (depth - 1) * 35 + 1);
  }
}

static void deeper(void *depth) {
  volatile char frame[256];
  GLT_ult next;
  if ((long)depth == 0) return;
  frame[0] = 1;
  glt_ult_create(deeper, (void *)((long)depth - 1), &next);
  glt_ult_free(&next);
  count += frame[0];
}

// More frames than a stack holds; under a sanitizer each has a stack of its own.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
enum { DEPTH = 500 };
#else
enum { DEPTH = 40000 };
#endif
static void deep_chain(void) {
  count = 0;
  deeper((void *)(long)DEPTH);
  EXPECT_EQ(count, DEPTH);
}

static void leave_work(void *argument) {
  static GLT_ult never_joined[8];
  (void)argument;
  for (int i = 0; i < 8; i++) glt_ult_create_to(add, &one, &never_joined[i], i % glt_get_num_threads());
}

int main(int argc, char **argv) {
  EXPECT_EQ(glt_get_thread_num(), -1);
  for (int round = 0; round < 3; round++) {
    glt_init(argc, argv);
    EXPECT_EQ(glt_get_num_threads(), atoi(getenv("GLT_NUM_THREADS")));
    each_runs_once();
    each_runs_where_it_was_sent();
    yields_take_turns();
    names_are_its_own();
    ends_of_all_kinds();
    trees_of_units();
    chains_of_joins();
    deep_chain();
    count = 0;
    GLT_ult ult;
    glt_ult_create(leave_work, NULL, &ult);
    glt_finalize();  // waits for them
    EXPECT_EQ(count, 8);
  }
  return 0;
}
