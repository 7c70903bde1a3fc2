/* SPDX-License-Identifier: Apache-2.0 */
/* Task graphs that a program builds by hand and runs as often as it likes, for C and C++ (P-SOCRATES book, section
   6.3.1). graph.h records them from code that creates tasks.

     struct tulle_task_graph *graph = tulle_task_graph_create(2, SIDE);
     for (unsigned i = 0; i < SIDE; i++) {
       tulle_task_graph_add(graph, FACTOR, &i, 1, factor, &block[i], sizeof block[i]);
       ...
     }
     tulle_task_graph_add_edge(graph, before, after);
     while (!done()) tulle_task_graph_run(graph);
     tulle_task_graph_destroy(graph);

   A program that includes this header still starts on any other OpenMP runtime: there tulle_task_graph_create() gives
   a null pointer, and the program has to do without. None of these functions may be called in a signal handler. */
#ifndef TULLE_TASK_GRAPH_H
#define TULLE_TASK_GRAPH_H

#include <stddef.h>
#include <stdint.h>

#define TULLE_NO_TASK UINT64_MAX

struct tulle_task_graph;

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's functions, null on another runtime; and the names of the inline ones below, which must
   differ from them in the object file. */
extern struct tulle_task_graph *tulle_task_graph_create_of_runtime(unsigned constructs, unsigned trips)
    __asm__("tulle_task_graph_create") __attribute__((weak));
extern uint64_t tulle_task_graph_add_of_runtime(struct tulle_task_graph *graph, unsigned construct,
                                                const unsigned *loops, unsigned depth, void (*function)(void *),
                                                const void *data, size_t bytes)
    __asm__("tulle_task_graph_add") __attribute__((weak));
extern void tulle_task_graph_add_edge_of_runtime(struct tulle_task_graph *graph, uint64_t before, uint64_t after)
    __asm__("tulle_task_graph_add_edge") __attribute__((weak));
extern int tulle_task_graph_run_of_runtime(struct tulle_task_graph *graph) __asm__("tulle_task_graph_run")
    __attribute__((weak));
extern size_t tulle_task_graph_bytes_of_runtime(struct tulle_task_graph *graph) __asm__("tulle_task_graph_bytes")
    __attribute__((weak));
extern void tulle_task_graph_destroy_of_runtime(struct tulle_task_graph *graph)
    __asm__("tulle_task_graph_destroy") __attribute__((weak));
static __inline__ struct tulle_task_graph *tulle_task_graph_create(unsigned constructs, unsigned trips)
    __asm__("tulle_task_graph_create_if_present");
static __inline__ uint64_t tulle_task_graph_add(struct tulle_task_graph *graph, unsigned construct,
                                                const unsigned *loops, unsigned depth, void (*function)(void *),
                                                const void *data, size_t bytes)
    __asm__("tulle_task_graph_add_if_present");
static __inline__ void tulle_task_graph_add_edge(struct tulle_task_graph *graph, uint64_t before, uint64_t after)
    __asm__("tulle_task_graph_add_edge_if_present");
static __inline__ int tulle_task_graph_run(struct tulle_task_graph *graph)
    __asm__("tulle_task_graph_run_if_present");
static __inline__ size_t tulle_task_graph_bytes(struct tulle_task_graph *graph)
    __asm__("tulle_task_graph_bytes_if_present");
static __inline__ void tulle_task_graph_destroy(struct tulle_task_graph *graph)
    __asm__("tulle_task_graph_destroy_if_present");

#ifdef __cplusplus
}
#endif

/* An empty graph, built by one thread. Tasks have the identifiers of Equation 6.1,
     construct + constructs * sum(loops[i] * trips^(i + 1)),
   where `constructs` is how many places in the source create tasks, and `trips` the largest number of iterations of
   the loops around them. With trips 0 (recursion has no such counters) they are 0, 1, 2 and so on, as they are added.
   Null: no memory, or another runtime. */
static __inline__ struct tulle_task_graph *tulle_task_graph_create(unsigned constructs, unsigned trips) {
  return tulle_task_graph_create_of_runtime ? tulle_task_graph_create_of_runtime(constructs, trips) : NULL;
}

/* A task that calls function(copy), where `copy` are `bytes` bytes as they are at `data` now, aligned for any
   scalar; each run has a copy of its own. `construct` is the number of its place in the source, below `constructs`,
   and `loops` the counters of the `depth` loops around that, outermost first, each below `trips`.
   Its identifier, for tulle_task_graph_add_edge(). TULLE_NO_TASK: a number is out of its bounds, which
   tulle_task_graph_run() says; or the graph has run, and is complete, which is said at once. */
static __inline__ uint64_t tulle_task_graph_add(struct tulle_task_graph *graph, unsigned construct,
                                                const unsigned *loops, unsigned depth, void (*function)(void *),
                                                const void *data, size_t bytes) {
  return tulle_task_graph_add_of_runtime
             ? tulle_task_graph_add_of_runtime(graph, construct, loops, depth, function, data, bytes)
             : TULLE_NO_TASK;
}

/* Task `after` begins when task `before`, which was added before it, is complete. Twice is as once. */
static __inline__ void tulle_task_graph_add_edge(struct tulle_task_graph *graph, uint64_t before, uint64_t after) {
  if (tulle_task_graph_add_edge_of_runtime) tulle_task_graph_add_edge_of_runtime(graph, before, after);
}

/* Runs all tasks of the graph as tied tasks of the current one, on the threads of its team, and returns when they and
   the tasks that they created are complete: 0. It may suspend the caller. Any number of threads may run the graph at
   the same time. The first run completes the graph.
   -1: there is no such graph, and nothing has run: two tasks have the same identifier, say, or a dependence names a
   task that there is not. The first such call says why in one line on standard error. */
static __inline__ int tulle_task_graph_run(struct tulle_task_graph *graph) {
  return tulle_task_graph_run_of_runtime ? tulle_task_graph_run_of_runtime(graph) : -1;
}

/* Bytes that the complete graph takes, with what its tasks were given; 0 before the first run. */
static __inline__ size_t tulle_task_graph_bytes(struct tulle_task_graph *graph) {
  return tulle_task_graph_bytes_of_runtime ? tulle_task_graph_bytes_of_runtime(graph) : 0;
}

/* Frees a graph that nobody runs; null is allowed. */
static __inline__ void tulle_task_graph_destroy(struct tulle_task_graph *graph) {
  if (tulle_task_graph_destroy_of_runtime) tulle_task_graph_destroy_of_runtime(graph);
}

#endif
