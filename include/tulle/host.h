/* SPDX-License-Identifier: Apache-2.0 */
/* Parallel regions that are entered from user-level threads of the program's own: fibers, coroutines with
   stacks, tasks of another library. The library that switches them, the host, is described once; from then on
   each of its threads is an OpenMP thread of its own, a guest, wherever it runs. A guest waits by the host, so
   that others of that OS thread go on. docs/guests.md says what holds for guests. For C and C++. A program
   that includes this header still runs on any other OpenMP runtime, where the functions are null. */
#ifndef TULLE_HOST_H
#define TULLE_HOST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The host's functions. They are called from any OS thread, self, get and set often; none may call OpenMP, and
   none but wait may block or switch threads. */
typedef struct tulle_ult_host {
  size_t size; /* of this struct, in bytes */

  /* The thread that runs here; null: none, so this is an OS thread as any other. */
  void *(*self)(void);

  /* A word that belongs to the thread that runs here, null as it begins. */
  void *(*get)(void);
  void (*set)(void *word);

  /* One wait of the thread that runs here. waiter() begins it and names it; wait(), once for each, returns when
     wake() was called for it, which happens once and may be before. The waiter may be gone as soon as
     wait() can return. The thread may go on on another OS thread. wake() comes from any OS thread, those that
     the host does not know included. */
  void *(*waiter)(void);
  void (*wait)(void *waiter);
  void (*wake)(void *waiter);

  /* The stack of a thread that runs here: its lowest address and its size in bytes. Nonzero: they are known.
     A null pointer in place of the function: they never are. Then nothing is called on top of its frames. */
  int (*stack)(void *thread, void **lowest, size_t *bytes);
} tulle_ult_host;

/* Describes the host, once for the process, before user-level threads enter regions, and best before its other
   OS threads use OpenMP. The struct is copied. 0: done; EINVAL: a size that is not known, or a function that is
   missing; EBUSY: there is a host already. Neither blocks nor suspends. */
extern int tulle_register_host(const struct tulle_ult_host *host) __attribute__((weak));

/* A thread has ended whose word was not null: what the runtime keeps for it, settings made outside of regions
   and the like, is free for others. From any OS thread. It is in no region. */
extern void tulle_guest_ended(void *word) __attribute__((weak));

#ifdef __cplusplus
}
#endif

#endif
