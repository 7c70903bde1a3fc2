// SPDX-License-Identifier: Apache-2.0
// Random graphs of tasks, made at run time from a seed, and what must hold of each execution. For C
// and C++. Whoever includes it says how a task is created and waited for (the six functions below);
// graph_check() compares with a sequential execution of the same graph.
// Each body has cells of its own, which its children name in their dependences: they read them as
// they begin and write them as they end, so what a task has read says whether all that it follows
// had ended. A task knows its predecessors, too, by comparing all pairs of siblings.
// Loose: in a taskgroup that may be cancelled. Such a task runs or does not, and its values differ.
#ifndef TULLE_TESTS_TASK_GRAPH_H
#define TULLE_TESTS_TASK_GRAPH_H

#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  GRAPH_TASKS = 128,
  GRAPH_SIBLINGS = 24,
  GRAPH_STEPS = 48,
  GRAPH_CELLS = 8,
  GRAPH_LOOSE_CELLS = 2,  // the last ones
  GRAPH_DEPENDS = 4,
  GRAPH_DEPTH = 4
};

typedef enum { DEPEND_NONE, DEPEND_IN, DEPEND_OUT, DEPEND_INOUTSET, DEPEND_MUTEX, DEPEND_ALL } GraphKind;
typedef enum { STEP_TASK, STEP_WAIT, STEP_WAIT_DEPEND, STEP_WAIT_NOWAIT, STEP_GROUP, STEP_GROUP_END,
               STEP_YIELD } GraphStepKind;
typedef enum { DETACH_NOT, DETACH_SELF, DETACH_CHILD, DETACH_FOREIGN } GraphDetach;
typedef enum { STATE_NEW, STATE_RUNNING, STATE_ENDED } GraphState;

typedef struct GraphDepend {
  GraphKind kind;
  int cell;
} GraphDepend;

typedef struct GraphTask GraphTask;

typedef struct GraphStep {
  GraphStepKind kind;
  GraphTask *task;  // also what a taskwait depends on
} GraphStep;

typedef struct GraphBody {
  GraphStep steps[GRAPH_STEPS];
  int step_count;
  GraphTask *children[GRAPH_SIBLINGS];  // in the order of their creation
  int child_count;
  int created;  // W: who runs the body
  uint64_t cells[GRAPH_CELLS];
  int holders[GRAPH_CELLS];  // tasks of mutexinoutset that run now
} GraphBody;

struct GraphTask {
  uint32_t id;
  int number;        // among its siblings
  GraphBody *in;     // of its parent
  GraphBody body;
  GraphDepend depends[GRAPH_DEPENDS];
  int depend_count;
  uint32_t follows;  // siblings that have ended when it begins
  bool untied, undeferred, final, mergeable, cancels, loose, by_object;
  int priority, pause;
  GraphDetach detach;
  int state;
  uint64_t result, expected;
};

typedef struct Graph {
  uint64_t random;
  GraphTask *tasks;
  int task_count;
  GraphTask *root;
} Graph;

// --- what the includer defines; each may suspend ---

static void graph_create(GraphTask *task);  // graph_run(task, event) is its body
static void graph_taskwait(void);
static void graph_taskwait_depend(GraphTask *list, bool nowait);
static void graph_taskgroup(GraphTask *task, int *step);  // graph_steps(task, step) is its body
static void graph_taskyield(void);
static void graph_fulfil(GraphTask *task, uintptr_t event);  // by task->detach; graph_end first

// --- errors ---

static uint64_t graph_seed_in_hand;
static bool graph_sequential;

__attribute__((noreturn, noinline)) static void graph_failed(const GraphTask *task, const char *what) {
  fprintf(stderr, "seed %llu: task %u %s\n", (unsigned long long)graph_seed_in_hand, task->id, what);
  fflush(stderr);
  _Exit(1);
}

// --- making a graph ---

static uint32_t graph_random(Graph *graph, uint32_t below) {
  uint64_t x = graph->random += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return (uint32_t)((x ^ (x >> 31)) >> 32) % below;
}

// What the task's items say about one cell together.
static GraphKind graph_kind(const GraphTask *task, int cell) {
  GraphKind kind = DEPEND_NONE;
  for (int i = 0; i < task->depend_count; i++) {
    GraphDepend item = task->depends[i];
    if (item.kind == DEPEND_ALL)
      return cell < GRAPH_CELLS - GRAPH_LOOSE_CELLS ? DEPEND_OUT : DEPEND_NONE;
    if (item.cell != cell) continue;
    kind = kind == DEPEND_NONE || kind == item.kind ? item.kind : DEPEND_OUT;
  }
  return kind;
}

static bool graph_names_all(const GraphTask *task) {
  for (int i = 0; i < task->depend_count; i++)
    if (task->depends[i].kind == DEPEND_ALL) return true;
  return false;
}

static bool graph_ordered(const GraphTask *before, const GraphTask *after) {
  if (before->depend_count == 0 || after->depend_count == 0) return false;
  if (graph_names_all(before) || graph_names_all(after)) return true;
  for (int cell = 0; cell < GRAPH_CELLS; cell++) {
    GraphKind a = graph_kind(before, cell), b = graph_kind(after, cell);
    if (a != DEPEND_NONE && b != DEPEND_NONE && (a != b || a == DEPEND_OUT)) return true;
  }
  return false;
}

static void graph_add_depends(Graph *graph, GraphTask *task, bool plain) {
  int first = task->loose ? GRAPH_CELLS - GRAPH_LOOSE_CELLS : 0;
  int cells = task->loose ? GRAPH_LOOSE_CELLS : GRAPH_CELLS - GRAPH_LOOSE_CELLS;
  static const GraphKind kinds[] = {DEPEND_IN, DEPEND_IN, DEPEND_OUT, DEPEND_OUT, DEPEND_INOUTSET,
                                    DEPEND_MUTEX};
  task->depend_count = (int)graph_random(graph, GRAPH_DEPENDS + 1);
  for (int i = 0; i < task->depend_count; i++) {
    GraphKind kind = kinds[graph_random(graph, plain ? 4 : 6)];
    task->depends[i] = (GraphDepend){kind, first + (int)graph_random(graph, (uint32_t)cells)};
  }
  if (!plain && !task->loose && graph_random(graph, 40) == 0) {
    task->depends[0].kind = DEPEND_ALL;
    task->depend_count = 1;
  }
}

static GraphTask *graph_new_task(Graph *graph, GraphBody *in, bool loose, bool plain) {
  GraphTask *task = &graph->tasks[graph->task_count];
  memset(task, 0, sizeof *task);
  task->id = (uint32_t)graph->task_count++;
  task->in = in;
  task->loose = loose;
  graph_add_depends(graph, task, plain);
  for (int i = 0; i < in->child_count; i++) {
    const GraphTask *sibling = in->children[i];
    if (!graph_ordered(sibling, task)) continue;
    // A taskwait without waiting has no body that could be seen to end.
    task->follows |= sibling->number < 0 ? sibling->follows : 1u << i;
  }
  return task;
}

static void graph_fill_body(Graph *graph, GraphTask *task, int depth, bool in_final);

static void graph_add_task(Graph *graph, GraphTask *parent, int depth, bool loose, bool in_final) {
  GraphBody *in = &parent->body;
  GraphTask *task = graph_new_task(graph, in, loose, false);
  task->number = in->child_count;
  in->children[in->child_count++] = task;
  in->steps[in->step_count++] = (GraphStep){STEP_TASK, task};
  task->untied = graph_random(graph, 4) == 0;
  task->undeferred = graph_random(graph, 12) == 0;
  task->final = graph_random(graph, 16) == 0;
  task->mergeable = graph_random(graph, 8) == 0;
  task->by_object = graph_random(graph, 3) == 0;
  task->cancels = loose && graph_random(graph, 4) == 0;
  task->priority = graph_random(graph, 4) == 0 ? (int)graph_random(graph, 10) : 0;
  task->pause = graph_random(graph, 4) == 0 ? (int)graph_random(graph, 2000) : 0;
  // A task that is dropped may not fulfill its event.
  if (!in_final && !loose && !task->final && graph_random(graph, 8) == 0)
    task->detach = (GraphDetach)(1 + graph_random(graph, 3));
  graph_fill_body(graph, task, depth + 1, in_final || task->final);
}

static void graph_fill_body(Graph *graph, GraphTask *task, int depth, bool in_final) {
  GraphBody *body = &task->body;
  int groups = 0;
  bool loose[GRAPH_DEPTH + 2] = {task->loose}, had_loose = task->loose;
  uint32_t wanted = depth == 0 ? 40 : depth == GRAPH_DEPTH || graph_random(graph, 2) ? 0 : graph_random(graph, 16);
  for (; wanted > 0 && body->step_count < GRAPH_STEPS - GRAPH_DEPTH - 2; wanted--) {
    uint32_t what = graph_random(graph, 24);
    bool room = body->child_count < GRAPH_SIBLINGS && graph->task_count < GRAPH_TASKS - 4;
    if (what < 16) {
      if (room) graph_add_task(graph, task, depth, loose[groups], in_final);
    } else if (what < 17) {
      body->steps[body->step_count++] = (GraphStep){STEP_WAIT, NULL};
    } else if (what < 19) {
      body->steps[body->step_count++] = (GraphStep){STEP_YIELD, NULL};
    } else if (what < 21) {
      if (!room) continue;
      bool nowait = what == 20;
      GraphTask *list = graph_new_task(graph, body, loose[groups], true);
      body->steps[body->step_count++] = (GraphStep){nowait ? STEP_WAIT_NOWAIT : STEP_WAIT_DEPEND, list};
      list->number = -1;
      if (nowait) body->children[body->child_count++] = list;  // for those that follow it
    } else if (what < 23 && groups < GRAPH_DEPTH) {
      // One cancellable group in a body, since it has the loose cells to itself.
      bool cancellable = !had_loose && graph_random(graph, 3) == 0;
      had_loose = had_loose || cancellable;
      loose[groups + 1] = loose[groups] || cancellable;
      groups++;
      body->steps[body->step_count++] = (GraphStep){STEP_GROUP, NULL};
    } else if (groups > 0) {
      groups--;
      body->steps[body->step_count++] = (GraphStep){STEP_GROUP_END, NULL};
    }
  }
  while (groups-- > 0) body->steps[body->step_count++] = (GraphStep){STEP_GROUP_END, NULL};
}

static void graph_make(Graph *graph, uint64_t seed) {
  graph->random = seed * 0xd1342543de82ef95u + 1;
  graph->task_count = 1;
  graph->root = &graph->tasks[0];
  memset(graph->root, 0, sizeof *graph->root);
  graph_fill_body(graph, graph->root, 0, false);
}

// --- running it ---

static uint64_t graph_mix(uint64_t value, uint64_t with) {
  value = (value ^ with) * 0x9e3779b97f4a7c15u;
  return value ^ (value >> 29);
}

static int graph_state(const GraphTask *task) { return __atomic_load_n(&task->state, __ATOMIC_RELAXED); }

static void graph_check_ended(const GraphTask *task, uint32_t siblings, const char *what) {
  for (int i = 0; i < task->in->child_count; i++) {
    const GraphTask *sibling = task->in->children[i];
    if ((siblings >> i & 1) == 0 || sibling->number < 0) continue;
    int state = graph_state(sibling);
    if (state == STATE_RUNNING || (state == STATE_NEW && !sibling->loose)) graph_failed(sibling, what);
  }
}

// The children of `task` with numbers from `first` on are complete, and their descendants if `deep`.
static void graph_check_children(const GraphTask *task, int first, bool deep, const char *what) {
  for (int i = first; i < task->body.created; i++) {
    const GraphTask *child = task->body.children[i];
    if (child->number < 0) continue;
    int state = graph_state(child);
    if (state == STATE_RUNNING || (state == STATE_NEW && !child->loose)) graph_failed(child, what);
    if (deep && state == STATE_ENDED) graph_check_children(child, 0, true, what);
  }
}

static void graph_run(GraphTask *task, uintptr_t event);

static void graph_steps_sequentially(GraphTask *task) {
  for (int i = 0; i < task->body.step_count; i++)
    if (task->body.steps[i].kind == STEP_TASK) graph_run(task->body.steps[i].task, 0);
}

// From *step to the end of the taskgroup that it lies in, or of the body.
static void graph_steps(GraphTask *task, int *step) {
  GraphBody *body = &task->body;
  while (*step < body->step_count) {
    GraphStep now = body->steps[(*step)++];
    int created = body->created;
    switch (now.kind) {
      case STEP_TASK:
        body->created++;
        graph_create(now.task);
        if (now.task->undeferred && !now.task->loose && graph_state(now.task) == STATE_NEW)
          graph_failed(now.task, "was not run where it was created");
        break;
      case STEP_WAIT:
        graph_taskwait();
        graph_check_children(task, 0, false, "was not complete after a taskwait");
        break;
      case STEP_WAIT_DEPEND:
        graph_taskwait_depend(now.task, false);
        if (!now.task->loose)
          graph_check_ended(now.task, now.task->follows, "was not complete after a taskwait on it");
        break;
      case STEP_WAIT_NOWAIT:
        body->created++;
        graph_taskwait_depend(now.task, true);
        break;
      case STEP_GROUP:
        graph_taskgroup(task, step);
        graph_check_children(task, created, true, "was not complete at the end of a taskgroup");
        break;
      case STEP_GROUP_END: return;
      case STEP_YIELD: graph_taskyield(); break;
    }
  }
}

// Reads what it may read, runs the body, writes what it may write.
static void graph_run(GraphTask *task, uintptr_t event) {
  GraphBody *in = task->in;
  uint64_t seen[GRAPH_CELLS] = {0}, hash = task->id;
  if (__atomic_exchange_n(&task->state, STATE_RUNNING, __ATOMIC_RELAXED) != STATE_NEW)
    graph_failed(task, "ran twice");
  graph_check_ended(task, task->follows, "had not ended before one that depends on it");
  for (int cell = 0; cell < GRAPH_CELLS; cell++) {
    GraphKind kind = graph_kind(task, cell);
    if (kind == DEPEND_MUTEX && __atomic_exchange_n(&in->holders[cell], 1, __ATOMIC_RELAXED) != 0)
      graph_failed(task, "ran beside one that it excludes");
    if (kind == DEPEND_IN || kind == DEPEND_OUT || kind == DEPEND_MUTEX) seen[cell] = in->cells[cell];
    if (kind == DEPEND_IN || kind == DEPEND_OUT) hash = graph_mix(hash, seen[cell]);
  }
  for (int i = 0; i < task->pause; i++) __asm__ volatile("" ::: "memory");
  int step = 0;
  if (graph_sequential)
    graph_steps_sequentially(task);
  else
    graph_steps(task, &step);
  for (int cell = 0; cell < GRAPH_CELLS; cell++) {
    switch (graph_kind(task, cell)) {
      case DEPEND_OUT: in->cells[cell] = graph_mix(seen[cell], task->id); break;
      case DEPEND_INOUTSET: __atomic_fetch_add(&in->cells[cell], task->id, __ATOMIC_RELAXED); break;
      case DEPEND_MUTEX:
        in->cells[cell] = seen[cell] + 3u * task->id;
        __atomic_store_n(&in->holders[cell], 0, __ATOMIC_RELAXED);
        break;
      default: break;
    }
  }
  task->result = hash;
  if (task->detach != DETACH_NOT && !graph_sequential)
    graph_fulfil(task, event);
  else
    __atomic_store_n(&task->state, STATE_ENDED, __ATOMIC_RELAXED);
}

// The event of a detachable task is about to be fulfilled.
static inline void graph_end(GraphTask *task) { __atomic_store_n(&task->state, STATE_ENDED, __ATOMIC_RELAXED); }

// --- checking ---

static void graph_reset(Graph *graph) {
  for (int i = 0; i < graph->task_count; i++) {
    GraphTask *task = &graph->tasks[i];
    task->state = STATE_NEW;
    task->result = 0;
    task->body.created = 0;
    memset(task->body.cells, 0, sizeof task->body.cells);
    memset(task->body.holders, 0, sizeof task->body.holders);
  }
}

static void graph_expect(Graph *graph) {
  graph_reset(graph);
  graph_sequential = true;
  graph_steps_sequentially(graph->root);
  graph_sequential = false;
  for (int i = 0; i < graph->task_count; i++) graph->tasks[i].expected = graph->tasks[i].result;
  graph_reset(graph);
}

// All tasks are complete.
static void graph_check(const Graph *graph) {
  for (int i = 1; i < graph->task_count; i++) {
    const GraphTask *task = &graph->tasks[i];
    if (task->number < 0) continue;
    if (task->state == STATE_RUNNING || (task->state == STATE_NEW && !task->loose))
      graph_failed(task, "has not ended");
    if (!task->loose && task->result != task->expected)
      graph_failed(task, "has seen other values than in a sequential execution");
  }
}

#endif
