/* SPDX-License-Identifier: Apache-2.0 */
/* Waiting for what happens outside of the runtime, without keeping a core: for libraries whose calls block
   until a message, a device or another process answers. The calling OpenMP thread or task suspends, and its
   core goes on with others, until somebody resumes it. A library that includes this header still works on any
   other OpenMP runtime: each function is null there. docs/mpi.md has an example. */
#ifndef TULLE_SUSPEND_H
#define TULLE_SUSPEND_H

#ifdef __cplusplus
extern "C" {
#endif

/* One suspension, in memory of the caller's, zero before its first use and before each further one. */
typedef struct tulle_suspension {
  void *state;
} tulle_suspension;

/* Nonzero in a parallel region: tulle_suspend() would let others have the core. Elsewhere the caller blocks
   as it always did. 2 where there are no others: it is the only thread of its region, or the others have ended or wait
   for it at a barrier, and there are no tasks, so that to block is as good. */
extern int tulle_can_suspend(void) __attribute__((weak));

/* For calls that take some hundred nanoseconds: where they see without another call that tulle_can_suspend() is 0. The word
   so many bytes from the thread pointer is null where the OS thread has not entered the runtime; negative: ask; else the
   address of a record, in which lies that of another one, in which a number of four bytes is 0 outside of regions. */
typedef struct tulle_outside {
  long word;                        /* bytes from the thread pointer */
  long team, level;                 /* bytes from the beginning of each record */
  const volatile unsigned *guests;  /* not 0: user-level threads of the program enter regions (tulle/host.h), so null says nothing */
} tulle_outside;
extern const tulle_outside *tulle_where_outside(void) __attribute__((weak));

/* A hint: nonzero if something else could run on this core, now or once its poller is asked. */
extern int tulle_others_wait(void) __attribute__((weak));

/* Who calls: the same for all calls of one task, implicit or explicit, while it lives, and for no other task
   meanwhile. Null outside of all regions. */
extern const void *tulle_current_task(void) __attribute__((weak));

/* Returns once tulle_resume() was called for this suspension, which may be before. The task goes on where
   OpenMP lets it, a tied one in the thread that began it. Where tulle_can_suspend() is 0 nothing may be
   suspended. */
extern void tulle_suspend(tulle_suspension *suspension) __attribute__((weak));

/* Once for each suspension, from any OS thread. The suspension may be gone when it returns. */
extern void tulle_resume(tulle_suspension *suspension) __attribute__((weak));

/* From now on `poll` is called with `data` while anything is suspended or has its end held: by workers without
   work, by busy ones now and then, else by a thread of the runtime, one at a time. It asks what is outside,
   resumes whom that concerns, and returns nonzero if there was somebody, or if it should be asked again at once. It neither
   blocks nor calls OpenMP.
   1: done; 0: eight are registered already. */
extern int tulle_register_poller(int (*poll)(void *data), void *data) __attribute__((weak));

/* A call of the library's begins, and ends, which has state that belongs to its OS thread, and which comes back by
   itself: it may wait for a lock of the library's, but for nothing that other threads of the program have to do.
   Between the two nothing else of OpenMP's runs there: sched_yield() is the operating system's alone, waits for
   mutexes keep the OS thread, no blocking section begins (tulle/blocking.h), and no other OS thread is made because this
   one does not move. Nothing in between may suspend. Calls nest. Outside of regions the two do nothing; some nanoseconds else. */
extern void tulle_inside_begin(void) __attribute__((weak));
extern void tulle_inside_end(void) __attribute__((weak));

/* The caller looked for something in vain, in a loop perhaps: each sixteenth time others have its core first.
   In a parallel region. */
extern void tulle_looked_in_vain(void) __attribute__((weak));

/* From now on, tasks wait for what other tasks send: those that a region's threads make, and those that these
   make in their turn, are queued and not called where they are made, even in a region of one thread. */
extern void tulle_expect_suspensions(void) __attribute__((weak));

/* Holds back the end of the explicit task that calls: it is complete when its body has ended and the end was
   released as often as it was held. The result is for tulle_release_end(), from any OS thread. Null outside of
   explicit tasks, whose end cannot be held. */
extern void *tulle_hold_end(void) __attribute__((weak));
extern void tulle_release_end(void *held) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
