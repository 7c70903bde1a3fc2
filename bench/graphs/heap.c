// SPDX-License-Identifier: Apache-2.0
// The heap that a graph takes (P-SOCRATES, Figure 6.14): `heap dynamic|closed|built cholesky|paths N THREADS` runs the
// factorisation of a matrix of N x N blocks, or the path finder's N x N blocks, whose tasks do next to nothing, and
// prints how many bytes of the heap were in use at most beside those before it, by whomever in the process; `no graph`
// on another runtime than Tulle. Status 1: wrong result. The C library's allocator stands below, counted.
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tulle/graph.h"
#include "tulle/task_graph.h"

// --- counted memory ---

void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *memory, size_t bytes);
void *__libc_memalign(size_t alignment, size_t bytes);
void __libc_free(void *memory);

static long in_use, most_in_use;

static void *counted(void *memory) {
  if (!memory) return NULL;
  long now = __atomic_add_fetch(&in_use, (long)malloc_usable_size(memory), __ATOMIC_RELAXED);
  long most = __atomic_load_n(&most_in_use, __ATOMIC_RELAXED);
  while (now > most && !__atomic_compare_exchange_n(&most_in_use, &most, now, 1, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
  }
  return memory;
}

static void *uncounted(void *memory) {
  if (memory) __atomic_sub_fetch(&in_use, (long)malloc_usable_size(memory), __ATOMIC_RELAXED);
  return memory;
}

void *malloc(size_t bytes) { return counted(__libc_malloc(bytes)); }
void *calloc(size_t count, size_t bytes) { return counted(__libc_calloc(count, bytes)); }
void *realloc(void *memory, size_t bytes) { return counted(__libc_realloc(uncounted(memory), bytes)); }
void *aligned_alloc(size_t alignment, size_t bytes) { return counted(__libc_memalign(alignment, bytes)); }
void *memalign(size_t alignment, size_t bytes) { return aligned_alloc(alignment, bytes); }
int posix_memalign(void **memory, size_t alignment, size_t bytes) {
  *memory = aligned_alloc(alignment, bytes);
  return *memory ? 0 : ENOMEM;
}
void free(void *memory) { __libc_free(uncounted(memory)); }

// --- the graphs ---

enum { MOST = 64 };
static int n;
static unsigned block[MOST][MOST], expected[MOST][MOST];

typedef struct Step {
  short row, column, left, right;  // block, and the columns or rows of what it depends on; -1: nothing
} Step;

static unsigned (*into)[MOST];

static void run_cholesky(const Step *step) {
  unsigned left = step->left < 0 ? 1 : into[step->row][step->left];
  unsigned right = step->right < 0 ? 1 : into[step->right][step->left < 0 ? step->column : step->left];
  into[step->row][step->column] = 3 * into[step->row][step->column] + 5 * left + 7 * right;
}

static void run_paths(const Step *step) {
  unsigned above = step->row == 0 ? 1 : into[step->row - 1][step->column];
  unsigned before = step->column == 0 ? 1 : into[step->row][step->column - 1];
  into[step->row][step->column] = 3 * into[step->row][step->column] + 5 * above + 7 * before;
}

// visit(step, run) in the order in which a program creates the tasks.
typedef void Visit(Step step, void (*run)(const Step *));

static void visit_cholesky(Visit *visit) {
  for (short k = 0; k < n; k++) {
    visit((Step){k, k, -1, -1}, run_cholesky);
    for (short i = (short)(k + 1); i < n; i++) visit((Step){i, k, -1, k}, run_cholesky);
    for (short i = (short)(k + 1); i < n; i++)
      for (short j = (short)(k + 1); j <= i; j++) visit((Step){i, j, k, j}, run_cholesky);
  }
}

static void visit_paths(Visit *visit) {
  for (short i = 0; i < n; i++)
    for (short j = 0; j < n; j++) visit((Step){i, j, -1, -1}, run_paths);
}

// Tasks capture where a step is, which they can do again.
static Step steps[MOST * (MOST + 1) * (MOST + 2) / 6];
static int created;

static const Step *keep(Step step) {
  steps[created] = step;
  return &steps[created++];
}

static void call(Step step, void (*run)(const Step *)) { run(&step); }

static unsigned none;  // of a task that has fewer to follow

static void create_cholesky(Step s, void (*run)(const Step *)) {
  const Step *step = keep(s);
  unsigned *left = s.left < 0 ? &none : &block[s.row][s.left];
  unsigned *right = s.right < 0 ? &none : &block[s.right][s.left < 0 ? s.column : s.left];
  unsigned *written = &block[s.row][s.column];
  if (s.right < 0) {
#pragma omp task depend(inout : *written) firstprivate(step, run)
    run(step);
  } else if (s.left < 0 || left == right) {
#pragma omp task depend(in : *right) depend(inout : *written) firstprivate(step, run)
    run(step);
  } else {
#pragma omp task depend(in : *left, *right) depend(inout : *written) firstprivate(step, run)
    run(step);
  }
}

static void create_paths(Step s, void (*run)(const Step *)) {
  const Step *step = keep(s);
  unsigned *above = s.row == 0 ? &none : &block[s.row - 1][s.column];
  unsigned *before = s.column == 0 ? &none : &block[s.row][s.column - 1];
  unsigned *written = &block[s.row][s.column];
  if (s.row == 0 && s.column == 0) {
#pragma omp task depend(out : *written) firstprivate(step, run)
    run(step);
  } else if (s.row == 0 || s.column == 0) {
    unsigned *one = s.row == 0 ? before : above;
#pragma omp task depend(in : *one) depend(out : *written) firstprivate(step, run)
    run(step);
  } else {
#pragma omp task depend(in : *above, *before) depend(out : *written) firstprivate(step, run)
    run(step);
  }
}

// --- the graph by hand ---

static struct tulle_task_graph *graph;
static int writers[MOST][MOST];  // of each block, so far: the task's number and one
static int added;

static void run_built_cholesky(void *data) { run_cholesky((const Step *)data); }
static void run_built_paths(void *data) { run_paths((const Step *)data); }

static void follow(int writer, uint64_t task) {
  if (writer != 0) tulle_task_graph_add_edge(graph, (uint64_t)(writer - 1), task);
}

static uint64_t add(Step *step, void (*run)(void *)) {
  uint64_t task = tulle_task_graph_add(graph, 0, NULL, 0, run, step, sizeof *step);
  follow(writers[step->row][step->column], task);
  writers[step->row][step->column] = ++added;
  return task;
}

static void build_cholesky(Step s, void (*run)(const Step *)) {
  (void)run;
  uint64_t task = add(&s, run_built_cholesky);
  int column = s.left < 0 ? s.column : s.left;
  if (s.left >= 0) follow(writers[s.row][s.left], task);
  if (s.right >= 0 && (s.left < 0 || s.right != s.row)) follow(writers[s.right][column], task);
}

static void build_paths(Step s, void (*run)(const Step *)) {
  (void)run;
  uint64_t task = add(&s, run_built_paths);
  if (s.row != 0) follow(writers[s.row - 1][s.column], task);
  if (s.column != 0) follow(writers[s.row][s.column - 1], task);
}

// --- the ways to run it ---

typedef void Graph(Visit *visit);

static void run_dynamic(Graph *visit_all, Visit *create, Visit *build) {
  (void)build;
  visit_all(create);
}

static void run_closed(Graph *visit_all, Visit *create, Visit *build) {
  (void)build;
  if (tulle_graph_begin(1)) visit_all(create);
  tulle_graph_end();
}

static void run_built(Graph *visit_all, Visit *create, Visit *build) {
  (void)create;
  graph = tulle_task_graph_create(0, 0);
  visit_all(build);
  tulle_task_graph_run(graph);
}

static int measure(const char *way, Graph *visit_all, Visit *create, Visit *build, int threads) {
  void (*run)(Graph *, Visit *, Visit *) =
      strcmp(way, "built") == 0 ? run_built : strcmp(way, "closed") == 0 ? run_closed : run_dynamic;
  into = expected;
  visit_all(call);
  into = block;
  // Libraries' first needs, and the team, are no part of it.
#pragma omp parallel num_threads(threads)
#pragma omp single
  none = 0;
  long before = __atomic_load_n(&in_use, __ATOMIC_RELAXED);
  __atomic_store_n(&most_in_use, before, __ATOMIC_RELAXED);
#pragma omp parallel num_threads(threads)
#pragma omp single
  run(visit_all, create, build);
  long grown = __atomic_load_n(&most_in_use, __ATOMIC_RELAXED) - before;
  if (memcmp(block, expected, sizeof block) != 0) return 1;
  printf("%ld\n", grown);
  return 0;
}

int main(int argc, char **argv) {
  n = argc == 5 ? atoi(argv[3]) : 0;
  if (n < 1 || n > MOST) return 2;
  if (strcmp(argv[1], "dynamic") != 0 && !tulle_graph_begin_of_runtime) {
    puts("no graph");
    return 0;
  }
  int threads = atoi(argv[4]);
  return strcmp(argv[2], "paths") == 0 ? measure(argv[1], visit_paths, create_paths, build_paths, threads)
                                       : measure(argv[1], visit_cholesky, create_cholesky, build_cholesky, threads);
}
