/* SPDX-License-Identifier: Apache-2.0 */
/* Blocking sections, for C and C++; tulle.F90 is the same for Fortran. A thread that is about to wait
   for something that the runtime does not see, in a system call or in another library, says so: the
   runtime then gives the core to what waits behind that thread at once, where else it would take some
   milliseconds to notice. The C library's own waits need none of this (see TULLE_WAITS). A program that
   includes this header still runs on any other OpenMP runtime: there the two do nothing. */
#ifndef TULLE_BLOCKING_H
#define TULLE_BLOCKING_H

#ifdef __cplusplus
extern "C" {
#endif

/* The runtime's functions, null on another runtime; and the names of the inline ones below, which must
   differ from them in the object file. */
extern void tulle_blocking_begin_of_runtime(void) __asm__("tulle_blocking_begin")
    __attribute__((weak));
extern void tulle_blocking_end_of_runtime(void) __asm__("tulle_blocking_end") __attribute__((weak));
static __inline__ void tulle_blocking_begin(void) __asm__("tulle_blocking_begin_if_present");
static __inline__ void tulle_blocking_end(void) __asm__("tulle_blocking_end_if_present");

#ifdef __cplusplus
}
#endif

/* A blocking section begins, and ends, for the calling OpenMP thread. Between the two it stays on its OS
   thread and must call nothing of OpenMP's: no construct, no lock, no task. Sections nest; only the
   outermost one counts. Outside of parallel regions, and in a thread that OpenMP does not know, the two
   do nothing. They cost some ten nanoseconds where nothing waits behind the thread. Neither fails, waits,
   suspends the thread or changes errno. Any thread may call them, a signal handler must not. */
static __inline__ void tulle_blocking_begin(void) {
  if (tulle_blocking_begin_of_runtime) tulle_blocking_begin_of_runtime();
}

static __inline__ void tulle_blocking_end(void) {
  if (tulle_blocking_end_of_runtime) tulle_blocking_end_of_runtime();
}

#endif
