/* SPDX-License-Identifier: Apache-2.0 */
/* How tasks are created, chosen by the program, for C and C++. A program that includes this header
   still runs on any other OpenMP runtime: there the choice does nothing. Any thread may call at any
   time. */
#ifndef TULLE_TASKS_H
#define TULLE_TASKS_H

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's function, null on another runtime; and the name of the inline one below, which must
   differ from it in the object file. */
extern int tulle_set_task_creation_of_runtime(const char *policy) __asm__("tulle_set_task_creation")
    __attribute__((weak));
static __inline__ int tulle_set_task_creation(const char *policy)
    __asm__("tulle_set_task_creation_if_present");

#ifdef __cplusplus
}
#endif

/* What becomes of the tasks that the calling task makes from now on, and of those made in regions and
   tasks that it begins from now on: "adaptive" (queued while few are queued, else called),
   "breadth_first" (queued) or "work_first" (run before the task that makes it goes on, which another
   thread can take if it is untied); null for what TULLE_TASK_CREATION says. 1: done; 0: there is no such
   policy, or this is another runtime. */
static __inline__ int tulle_set_task_creation(const char *policy) {
  return tulle_set_task_creation_of_runtime ? tulle_set_task_creation_of_runtime(policy) : 0;
}

#endif
