// SPDX-License-Identifier: Apache-2.0
// Random graphs of tasks: usage: task_graph [FIRST COUNT]. Each seed is one graph (task_graph.h), run
// by a region of as many threads as there are; every third seed has a graph for each thread.
// GCC 12 has no syntax for inoutset, omp_all_memory and taskwait nowait: there the program writes the
// dependence objects and calls the entry that GCC 13 has for them.
#include <omp.h>
#include <pthread.h>

#include "expect.h"
#include "task_graph.h"

enum { FIRST = 1, COUNT = 150, ROOTS = 4 };

// --- the thread that fulfills events and is none of OpenMP's ---

static struct {
  pthread_mutex_t lock;
  pthread_cond_t more;
  struct { GraphTask *task; omp_event_handle_t event; } queue[ROOTS * GRAPH_TASKS];
  int count;
  bool over;
} foreign = {.lock = PTHREAD_MUTEX_INITIALIZER, .more = PTHREAD_COND_INITIALIZER};

static void fulfil(GraphTask *task, omp_event_handle_t event) {
  graph_end(task);
  omp_fulfill_event(event);
}

static void *fulfil_all(void *unused) {
  pthread_mutex_lock(&foreign.lock);
  while (!foreign.over) {
    if (foreign.count == 0) {
      pthread_cond_wait(&foreign.more, &foreign.lock);
      continue;
    }
    GraphTask *task = foreign.queue[--foreign.count].task;
    omp_event_handle_t event = foreign.queue[foreign.count].event;
    pthread_mutex_unlock(&foreign.lock);
    fulfil(task, event);
    pthread_mutex_lock(&foreign.lock);
  }
  pthread_mutex_unlock(&foreign.lock);
  return unused;
}

static void hand_over(GraphTask *task, omp_event_handle_t event) {
  pthread_mutex_lock(&foreign.lock);
  foreign.queue[foreign.count].task = task;
  foreign.queue[foreign.count++].event = event;
  pthread_cond_signal(&foreign.more);
  pthread_mutex_unlock(&foreign.lock);
}

static void graph_fulfil(GraphTask *task, uintptr_t handle) {
  omp_event_handle_t event = (omp_event_handle_t)handle;
  if (task->detach == DETACH_FOREIGN) {
    hand_over(task, event);
  } else if (task->detach == DETACH_SELF) {
    fulfil(task, event);
  } else {
#pragma omp task firstprivate(task, event)
    fulfil(task, event);
  }
}

// --- dependences of all kinds, whose number is known at run time ---

typedef struct Lists {
  uint64_t *in[GRAPH_DEPENDS], *out[GRAPH_DEPENDS], *mutex[GRAPH_DEPENDS], *set[GRAPH_DEPENDS];
  int ins, outs, mutexes, sets;
  bool all;
} Lists;

static Lists lists_of(const GraphTask *task) {
  Lists lists = {.ins = 0};
  for (int i = 0; i < task->depend_count; i++) {
    uint64_t *cell = &task->in->cells[task->depends[i].cell];
    switch (task->depends[i].kind) {
      case DEPEND_IN: lists.in[lists.ins++] = cell; break;
      case DEPEND_OUT: lists.out[lists.outs++] = cell; break;
      case DEPEND_MUTEX: lists.mutex[lists.mutexes++] = cell; break;
      case DEPEND_INOUTSET: lists.set[lists.sets++] = cell; break;
      case DEPEND_ALL: lists.all = true; break;
      case DEPEND_NONE: break;
    }
  }
  return lists;
}

#ifdef __clang__
#define LISTS                                                                           \
  depend(iterator(int i = 0 : lists.ins), in : *lists.in[i])                            \
  depend(iterator(int i = 0 : lists.outs), inout : *lists.out[i])                       \
  depend(iterator(int i = 0 : lists.mutexes), mutexinoutset : *lists.mutex[i])          \
  depend(iterator(int i = 0 : lists.sets), inoutset : *lists.set[i])
#else
#define LISTS                                                                           \
  depend(iterator(int i = 0 : lists.ins), in : *lists.in[i])                            \
  depend(iterator(int i = 0 : lists.outs), inout : *lists.out[i])                       \
  depend(iterator(int i = 0 : lists.mutexes), mutexinoutset : *lists.mutex[i])
#endif

static omp_depend_t object_of(const GraphTask *task, int item) {
  omp_depend_t object;
  memset(&object, 0, sizeof object);
  uint64_t *cell = &task->in->cells[task->depends[item].cell];
  switch (task->depends[item].kind) {
    case DEPEND_IN: {
#pragma omp depobj(object) depend(in : *cell)
      break;
    }
    case DEPEND_MUTEX: {
#pragma omp depobj(object) depend(mutexinoutset : *cell)
      break;
    }
#ifdef __clang__
    case DEPEND_INOUTSET: {
#pragma omp depobj(object) depend(inoutset : *cell)
      break;
    }
#else
    case DEPEND_INOUTSET: memcpy(&object, (void *[]){cell, (void *)5}, 2 * sizeof(void *)); break;
    case DEPEND_ALL: memcpy(&object, (void *[]){NULL, (void *)2}, 2 * sizeof(void *)); break;
#endif
    default: {
#pragma omp depobj(object) depend(inout : *cell)
      break;
    }
  }
  return object;
}

// --- creating a task, a site for each form ---

#define RUN(task, event)                                     \
  {                                                          \
    graph_run(task, event);                                  \
    if (task->cancels) {                                     \
      PRAGMA(omp cancel taskgroup)                           \
    }                                                        \
  }
#define CLAUSES if (!task->undeferred) final(task->final) priority(task->priority) firstprivate(task)
#define SITES(...)                                           \
  if (task->detach != DETACH_NOT) {                          \
    omp_event_handle_t event = (omp_event_handle_t)0;        \
    PRAGMA(omp task CLAUSES detach(event) __VA_ARGS__)       \
    graph_run(task, (uintptr_t)event);                       \
  } else if (task->untied) {                                 \
    PRAGMA(omp task CLAUSES untied __VA_ARGS__)              \
    RUN(task, 0)                                             \
  } else if (task->mergeable) {                              \
    PRAGMA(omp task CLAUSES mergeable __VA_ARGS__)           \
    RUN(task, 0)                                             \
  } else {                                                   \
    PRAGMA(omp task CLAUSES __VA_ARGS__)                     \
    RUN(task, 0)                                             \
  }

static void create_with_objects(GraphTask *task) {
  int n = task->depend_count;
  omp_depend_t first = object_of(task, 0), second = object_of(task, 1 % n);
  omp_depend_t third = object_of(task, 2 % n), fourth = object_of(task, 3 % n);
  SITES(depend(depobj : first, second) depend(depobj : third, fourth))
#pragma omp depobj(first) destroy
#pragma omp depobj(second) destroy
#pragma omp depobj(third) destroy
#pragma omp depobj(fourth) destroy
}

#ifdef __clang__
static bool needs_objects(const Lists *lists) { (void)lists; return false; }

static void create_after_all(GraphTask *task) { SITES(depend(out : omp_all_memory)) }
#else
static bool needs_objects(const Lists *lists) { return lists->sets != 0 || lists->all; }

static void create_after_all(GraphTask *task) { create_with_objects(task); }
#endif

static void graph_create(GraphTask *task) {
  Lists lists = lists_of(task);
#ifdef __clang__
  // Clang waits for what an undeferred task depends on, and does not say that it is this task: nothing
  // can follow its event.
  if (task->detach != DETACH_NOT && task->depend_count != 0) task->undeferred = false;
#endif
  if (task->depend_count == 0) {
    SITES(default(shared))
  } else if (lists.all) {
    create_after_all(task);
  } else if (task->by_object || needs_objects(&lists)) {
    create_with_objects(task);
  } else {
    SITES(LISTS)
  }
}

// --- waiting ---

static void graph_taskwait(void) {
#pragma omp taskwait
}

static void graph_taskyield(void) {
#pragma omp taskyield
}

static void graph_taskgroup(GraphTask *task, int *step) {
#pragma omp taskgroup
  graph_steps(task, step);
}

#ifdef __clang__
static void taskwait_nowait(Lists lists) {
#pragma omp taskwait depend(iterator(int i = 0 : lists.ins), in : *lists.in[i]) \
    depend(iterator(int i = 0 : lists.outs), inout : *lists.out[i]) nowait
}
#else
void GOMP_taskwait_depend_nowait(void **list) __attribute__((weak));

static void taskwait_nowait(Lists lists) {
  void *list[2 + 2 * GRAPH_DEPENDS] = {(void *)(uintptr_t)(lists.ins + lists.outs),
                                       (void *)(uintptr_t)lists.outs};
  memcpy(list + 2, lists.out, (size_t)lists.outs * sizeof(void *));
  memcpy(list + 2 + lists.outs, lists.in, (size_t)lists.ins * sizeof(void *));
  EXPECT(GOMP_taskwait_depend_nowait, "the runtime has no taskwait nowait");
  GOMP_taskwait_depend_nowait(list);
}
#endif

static void graph_taskwait_depend(GraphTask *task, bool nowait) {
  Lists lists = lists_of(task);
  if (task->depend_count == 0) return;
  if (nowait) {
    taskwait_nowait(lists);
    return;
  }
#pragma omp taskwait depend(iterator(int i = 0 : lists.ins), in : *lists.in[i]) \
    depend(iterator(int i = 0 : lists.outs), inout : *lists.out[i])
}

// --- seeds ---

static Graph graphs[ROOTS];

static void run_seed(uint64_t seed) {
  graph_seed_in_hand = seed;
  int roots = seed % 3 == 0 ? ROOTS : 1;
  for (int i = 0; i < roots; i++) {
    graph_make(&graphs[i], seed * ROOTS + (uint64_t)i);
    graph_expect(&graphs[i]);
  }
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < roots; i++) {
      int step = 0;
      graph_steps(graphs[i].root, &step);
    }
  }
  for (int i = 0; i < roots; i++) graph_check(&graphs[i]);
}

int main(int argc, char **argv) {
  uint64_t first = argc > 2 ? strtoull(argv[1], NULL, 0) : FIRST;
  uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 0) : COUNT;
  EXPECT(omp_get_cancellation(), "OMP_CANCELLATION must be true");
  for (int i = 0; i < ROOTS; i++) graphs[i].tasks = malloc(GRAPH_TASKS * sizeof(GraphTask));
  pthread_t thread;
  EXPECT(pthread_create(&thread, NULL, fulfil_all, NULL) == 0, "no thread");
  for (uint64_t seed = first; seed < first + count; seed++) run_seed(seed);
  pthread_mutex_lock(&foreign.lock);
  foreign.over = true;
  pthread_cond_signal(&foreign.more);
  pthread_mutex_unlock(&foreign.lock);
  pthread_join(thread, NULL);
  return 0;
}
