/* SPDX-License-Identifier: Apache-2.0 */
/* Task graphs that are recorded once and replayed, for C and C++; tulle.F90 is the same for
   Fortran.

     if (tulle_graph_begin(1)) {
       ... code that creates tasks, with or without dependences ...
     }
     tulle_graph_end();

   The first time the code runs and its tasks are written down; from then on the tasks alone run, in the order
   of their dependences, and the code is passed over. In both cases tulle_graph_end() has waited for them and
   for the tasks that they created. What tasks share has to stand where it stood; what they captured by value
   is as it was when the graph was recorded (docs/graphs.md).
   A program that includes this header still runs on any other OpenMP runtime: there the code runs each time,
   and nobody waits at its end: it needs a taskwait or a taskgroup of its own, which is harmless here. */
#ifndef TULLE_GRAPH_H
#define TULLE_GRAPH_H

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's functions, null on another runtime; and the names of the inline ones below, which must
   differ from them in the object file. */
extern int tulle_graph_begin_of_runtime(int id) __asm__("tulle_graph_begin") __attribute__((weak));
extern void tulle_graph_end_of_runtime(void) __asm__("tulle_graph_end") __attribute__((weak));
extern unsigned long tulle_graph_replayed_of_runtime(void) __asm__("tulle_graph_replayed")
    __attribute__((weak));
extern void tulle_graph_leave_out_of_runtime(const char *why) __asm__("tulle_graph_leave_out")
    __attribute__((weak));
extern void tulle_graph_forget_of_runtime(int id) __asm__("tulle_graph_forget")
    __attribute__((weak));
static __inline__ int tulle_graph_begin(int id) __asm__("tulle_graph_begin_if_present");
static __inline__ void tulle_graph_end(void) __asm__("tulle_graph_end_if_present");
static __inline__ unsigned long tulle_graph_replayed(void)
    __asm__("tulle_graph_replayed_if_present");
static __inline__ void tulle_graph_leave_out(const char *why)
    __asm__("tulle_graph_leave_out_if_present");
static __inline__ void tulle_graph_forget(int id) __asm__("tulle_graph_forget_if_present");

#ifdef __cplusplus
}
#endif

/* Begins the region that has this number in the whole program. 1: run the code that creates its tasks; 0: its
   tasks have run. The code runs each time, with one line on standard error, where a graph cannot repeat it:
   docs/graphs.md says which tasks these are. */
static __inline__ int tulle_graph_begin(int id) {
  return tulle_graph_begin_of_runtime ? tulle_graph_begin_of_runtime(id) : 1;
}

/* Ends the region that the calling task began last. */
static __inline__ void tulle_graph_end(void) {
  if (tulle_graph_end_of_runtime) tulle_graph_end_of_runtime();
}

/* The region that the calling task began last cannot be repeated: its code runs each time. `why` stays where it
   is, and is said once. */
static __inline__ void tulle_graph_leave_out(const char *why) {
  if (tulle_graph_leave_out_of_runtime) tulle_graph_leave_out_of_runtime(why);
}

/* Tasks of the program's own code that were replayed so far where TULLE_TASK_GRAPH says so; those of graphs whose
   tasks are not complete yet are not among them. */
static __inline__ unsigned long tulle_graph_replayed(void) {
  return tulle_graph_replayed_of_runtime ? tulle_graph_replayed_of_runtime() : 0;
}

/* The region's graph is recorded anew the next time: what its tasks share stands elsewhere, or they are to
   capture other values. */
static __inline__ void tulle_graph_forget(int id) {
  if (tulle_graph_forget_of_runtime) tulle_graph_forget_of_runtime(id);
}

#endif
