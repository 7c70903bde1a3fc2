// SPDX-License-Identifier: Apache-2.0
// What user-level threads cost: one program for GLT's interface (Castelló et al., Euro-Par 2017), which
// compare.py builds over Tulle and over other libraries. Prints a line for each row: its name and nanoseconds for
// one step of it, the median of ROUNDS. By one thread: the rows of one thread; by more: those of all. Each row's result is
// checked.
#include BACKEND

#include <stdio.h>
#include <stdlib.h>

#include "../workloads/uts/tree.h"

enum { ROUNDS = 9, MANY = 1000, STEPS = 20000, WIDTH = 100 };

static long count;
static void step(void *unused) {
  (void)unused;
  ++count;
}

static GLT_ult ults[MANY];
static GLT_tasklet tasklets[MANY];

// One ULT after the other.
static long create_join(void) {
  for (int i = 0; i < STEPS; i++) {
    glt_ult_create(step, NULL, &ults[0]);
    glt_ult_free(&ults[0]);
  }
  return STEPS;
}

static long create_join_many(void) {
  for (int k = 0; k < STEPS / MANY; k++) {
    for (int i = 0; i < MANY; i++) glt_ult_create(step, NULL, &ults[i]);
    for (int i = 0; i < MANY; i++) glt_ult_free(&ults[i]);
  }
  return STEPS;
}

static long tasklets_one(void) {
  for (int i = 0; i < STEPS; i++) {
    glt_tasklet_create(step, NULL, &tasklets[0]);
    glt_tasklet_free(&tasklets[0]);
  }
  return STEPS;
}

static long tasklets_many(void) {
  for (int k = 0; k < STEPS / MANY; k++) {
    for (int i = 0; i < MANY; i++) glt_tasklet_create(step, NULL, &tasklets[i]);
    for (int i = 0; i < MANY; i++) glt_tasklet_free(&tasklets[i]);
  }
  return STEPS;
}

static void yield_often(void *unused) {
  (void)unused;
  for (int i = 0; i < STEPS / 2; i++) {
    ++count;
    glt_yield();
  }
}

// Two ULTs of one thread.
static long yield(void) {
  glt_ult_create_to(yield_often, NULL, &ults[0], 0);
  glt_ult_create_to(yield_often, NULL, &ults[1], 0);
  glt_ult_free(&ults[0]);
  glt_ult_free(&ults[1]);
  return STEPS;
}

static void switch_often(void *to) {
  for (int i = 0; i < STEPS / 2; i++) {
    ++count;
    glt_yield_to(*(GLT_ult *)to);
  }
}

// The same two, who name each other.
static long switch_to(void) {
  glt_ult_create_to(switch_often, &ults[1], &ults[0], 0);
  glt_ult_create_to(switch_often, &ults[0], &ults[1], 0);
  glt_ult_free(&ults[0]);
  glt_ult_free(&ults[1]);
  return STEPS;
}

static GLT_mutex mutex;
static GLT_cond cond;
static int turn;

static void take_turns(void *own) {
  for (int i = 0; i < STEPS / 2; i++) {
    glt_mutex_lock(mutex);
    while (turn != *(int *)own) glt_cond_wait(cond, mutex);
    turn = !turn;
    ++count;
    glt_cond_signal(cond);
    glt_mutex_unlock(mutex);
  }
}

// Two ULTs of one thread that wait for each other.
static long block(void) {
  static int first = 0, second = 1;
  turn = 0;
  glt_ult_create_to(take_turns, &first, &ults[0], 0);
  glt_ult_create_to(take_turns, &second, &ults[1], 0);
  glt_ult_free(&ults[0]);
  glt_ult_free(&ults[1]);
  return STEPS;
}

static void lock_often(void *unused) {
  (void)unused;
  for (int i = 0; i < STEPS; i++) {
    glt_mutex_lock(mutex);
    ++count;
    glt_mutex_unlock(mutex);
  }
}

static long lock(void) {
  glt_ult_create_to(lock_often, NULL, &ults[0], 0);
  glt_ult_free(&ults[0]);
  return STEPS;
}

static void add(void *to) { __atomic_fetch_add((long *)to, 1, __ATOMIC_RELAXED); }

static void spread(void *unused) {
  GLT_ult inner[WIDTH];
  (void)unused;
  for (int i = 0; i < WIDTH; i++) glt_ult_create(add, &count, &inner[i]);
  for (int i = 0; i < WIDTH; i++) glt_ult_free(&inner[i]);
}

// As nested regions become ULTs (GLTO, Figure 8): each of some makes as many at its thread and joins them.
static long nested(void) {
  for (int i = 0; i < WIDTH; i++) glt_ult_create_to(spread, NULL, &ults[i], i % glt_get_num_threads());
  for (int i = 0; i < WIDTH; i++) glt_ult_free(&ults[i]);
  return WIDTH * WIDTH;
}

// To all threads in turn.
static long send(void) {
  for (int k = 0; k < STEPS / MANY; k++) {
    for (int i = 0; i < MANY; i++) glt_ult_create_to(add, &count, &ults[i], i % glt_get_num_threads());
    for (int i = 0; i < MANY; i++) glt_ult_free(&ults[i]);
  }
  return STEPS;
}

// Unbalanced tree search (GLTO, Figure 5): a ULT for each thread, which takes from the others' frontiers by a mutex.
// Counted are nodes.
enum { CHUNK = 16, CAPACITY = 1 << 17, SEARCHERS = 64 };

static struct frontier {
  _Alignas(128) GLT_mutex guard;
  int bottom, top;
  long visited;
  uint64_t nodes[CAPACITY];
} frontiers[SEARCHERS];

static long unvisited;
static int searchers;

static void visit(struct frontier *mine, uint64_t node, int children) {
  ++mine->visited;
  if (children != 0) {
    __atomic_fetch_add(&unvisited, children, __ATOMIC_SEQ_CST);
    glt_mutex_lock(mine->guard);
    for (int i = 0; i < children; i++) mine->nodes[mine->top++ % CAPACITY] = child_of(node, i);
    glt_mutex_unlock(mine->guard);
  }
  __atomic_fetch_sub(&unvisited, 1, __ATOMIC_SEQ_CST);
}

static int take_newest(struct frontier *mine, uint64_t *node) {
  glt_mutex_lock(mine->guard);
  int found = mine->top != mine->bottom;
  if (found) *node = mine->nodes[--mine->top % CAPACITY];
  glt_mutex_unlock(mine->guard);
  return found;
}

static void take_oldest(struct frontier *mine, struct frontier *victim) {
  uint64_t nodes[CHUNK];
  int n = 0;
  glt_mutex_lock(victim->guard);
  for (int most = (victim->top - victim->bottom) / 2; n < CHUNK && n < most; n++)
    nodes[n] = victim->nodes[victim->bottom++ % CAPACITY];
  glt_mutex_unlock(victim->guard);
  if (n == 0) return;
  glt_mutex_lock(mine->guard);
  for (int i = 0; i < n; i++) mine->nodes[mine->top++ % CAPACITY] = nodes[i];
  glt_mutex_unlock(mine->guard);
}

static void search(void *own) {
  struct frontier *mine = own;
  long victim = mine - frontiers;
  uint64_t node;
  while (__atomic_load_n(&unvisited, __ATOMIC_SEQ_CST) > 0) {
    while (take_newest(mine, &node)) visit(mine, node, children_of(node));
    victim = (victim + 1) % searchers;
    if (&frontiers[victim] != mine) take_oldest(mine, &frontiers[victim]);
  }
}

static long uts(void) {
  static long expected;
  if (expected == 0) expected = count_sequentially(ROOT, ROOT_CHILDREN);
  searchers = glt_get_num_threads() < SEARCHERS ? glt_get_num_threads() : SEARCHERS;
  for (int i = 0; i < searchers; i++) {
    frontiers[i].bottom = frontiers[i].top = 0;
    frontiers[i].visited = 0;
    glt_mutex_create(&frontiers[i].guard);
  }
  unvisited = 1;
  visit(&frontiers[0], ROOT, ROOT_CHILDREN);
  for (int i = 0; i < searchers; i++) glt_ult_create_to(search, &frontiers[i], &ults[i], i);
  for (int i = 0; i < searchers; i++) glt_ult_free(&ults[i]);
  for (int i = 0; i < searchers; i++) {
    count += frontiers[i].visited;
    glt_mutex_free(&frontiers[i].guard);
  }
  return expected;
}

static const struct row {
  const char *name;
  long (*run)(void);
  int threads;  // that take part: 1, or 2 for all
} rows[] = {{"create_join", create_join, 1}, {"create_join_many", create_join_many, 1},
            {"tasklet", tasklets_one, 1},    {"tasklet_many", tasklets_many, 1},
            {"yield", yield, 1},             {"switch", switch_to, 1},
            {"block", block, 1},             {"lock", lock, 1},
            {"nested", nested, 2},           {"send", send, 2},
            {"uts", uts, 2}};

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double measure(const struct row *row) {
  double times[ROUNDS];
  for (int round = -1; round < ROUNDS; round++) {
    count = 0;
    double begin = glt_get_wtime();
    long steps = row->run();
    double time = (glt_get_wtime() - begin) * 1e9 / (double)steps;
    if (count != steps) {
      fprintf(stderr, "%s: %ld steps of %ld\n", row->name, count, steps);
      exit(1);
    }
    if (round >= 0) times[round] = time;
  }
  qsort(times, ROUNDS, sizeof *times, by_value);
  return times[ROUNDS / 2];
}

int main(int argc, char **argv) {
  glt_init(argc, argv);
  int threads = glt_get_num_threads() > 1 ? 2 : 1;
  glt_mutex_create(&mutex);
  glt_cond_create(&cond);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].threads == threads) printf("%s %.2f\n", rows[i].name, measure(&rows[i]));
  glt_cond_free(&cond);
  glt_mutex_free(&mutex);
  glt_finalize();
  return 0;
}
