// SPDX-License-Identifier: Apache-2.0
// Unbalanced tree search: counts the nodes of a tree. With threads that share work through stacks under
// OpenMP locks (GLTO, Figure 4), and with a task per node.
#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "measure.h"
#include "tree.h"

enum { CHUNK = 16, CAPACITY = 1 << 15 };

static int64_t expected;
static int64_t counted;

// A thread's share of the frontier: the owner works at the top, thieves take a chunk at the bottom.
typedef struct Stack {
  _Alignas(LINE) omp_lock_t guard;
  int bottom, top;
  int64_t visited;
  uint64_t nodes[CAPACITY];
} Stack;

static Stack *stacks;
static _Alignas(LINE) atomic_long unvisited;

static void push(Stack *s, uint64_t node) {
  if (s->top == CAPACITY) {
    memmove(s->nodes, s->nodes + s->bottom, (size_t)(s->top - s->bottom) * sizeof *s->nodes);
    s->top -= s->bottom;
    s->bottom = 0;
    if (s->top == CAPACITY) abort();
  }
  s->nodes[s->top++] = node;
}

static bool pop(Stack *s, uint64_t *node) {
  omp_set_lock(&s->guard);
  bool found = s->top > s->bottom;
  if (found) *node = s->nodes[--s->top];
  else s->top = s->bottom = 0;
  omp_unset_lock(&s->guard);
  return found;
}

static void visit(Stack *s, uint64_t node, int children) {
  s->visited++;
  if (children) {
    atomic_fetch_add(&unvisited, children);
    omp_set_lock(&s->guard);
    for (int i = 0; i < children; i++) push(s, child_of(node, i));
    omp_unset_lock(&s->guard);
  }
  atomic_fetch_sub(&unvisited, 1);
}

static bool steal(Stack *mine, Stack *victim) {
  uint64_t loot[CHUNK];
  int n = 0;
  omp_set_lock(&victim->guard);
  int available = (victim->top - victim->bottom) / 2;
  while (n < CHUNK && n < available) loot[n++] = victim->nodes[victim->bottom++];
  omp_unset_lock(&victim->guard);
  if (n == 0) return false;
  omp_set_lock(&mine->guard);
  for (int i = 0; i < n; i++) push(mine, loot[i]);
  omp_unset_lock(&mine->guard);
  return true;
}

static void search(int me, int threads) {
  Stack *mine = &stacks[me];
  uint64_t node;
  int victim = me;
  while (atomic_load(&unvisited) > 0) {
    while (pop(mine, &node)) visit(mine, node, children_of(node));
    victim = (victim + 1) % threads;
    if (victim != me) steal(mine, &stacks[victim]);
  }
}

static void by_locks(const Case *c) {
  (void)c;
  atomic_store(&unvisited, 1);
  for (int i = 0; i < team_size; i++) stacks[i].visited = 0;
  visit(&stacks[0], ROOT, ROOT_CHILDREN);
#pragma omp parallel
  search(omp_get_thread_num(), omp_get_num_threads());
  counted = 0;
  for (int i = 0; i < team_size; i++) counted += stacks[i].visited;
}

static void node_task(uint64_t node, int children) {
  counters[omp_get_thread_num()].n++;
  for (int i = 0; i < children; i++) {
    uint64_t child = child_of(node, i);
#pragma omp task firstprivate(child)
    node_task(child, children_of(child));
  }
}

static void by_tasks(const Case *c) {
  (void)c;
  clear_counters();
#pragma omp parallel
#pragma omp single
  node_task(ROOT, ROOT_CHILDREN);
  counted = sum_counters();
}

static void setup(const Case *c) {
  expected = count_sequentially(ROOT, ROOT_CHILDREN);
  note("nodes", (double)expected);
  if (c->work != by_locks) return;
  stacks = aligned_alloc(LINE, (size_t)team_size * sizeof *stacks);
  if (!stacks) abort();
  memset(stacks, 0, (size_t)team_size * sizeof *stacks);
  for (int i = 0; i < team_size; i++) omp_init_lock(&stacks[i].guard);
}

static bool check(const Case *c) {
  (void)c;
  return counted == expected;
}

static const Case cases[] = {
    {.name = "uts_locks", .setup = setup, .work = by_locks, .check = check},
    {.name = "uts_tasks", .setup = setup, .work = by_tasks, .check = check},
    {0},
};
const Case *const case_tables[] = {cases, 0};
