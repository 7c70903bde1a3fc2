// SPDX-License-Identifier: Apache-2.0
/* A worker begins a blocking section while an entity is made ready for it: begin_blocking and hand_on in
 * src/sched/blocking.cpp, enqueue in src/sched/ready.cpp, is_empty and is_empty_for_handler in
 * src/sched/runqueue.cpp. Or others hand on to it, and it begins with the first of that: give in blocking.cpp. The
 * worker never comes back; the monitor does what the handler leaves to it. Nothing stays behind the worker.
 * variant TWO_PRODUCERS
 * variant HANDLER
 * mutant LOOKS_FIRST: the worker looks at its runqueue before it says that it is away
 * mutant NO_LOCK: it looks without the lock
 * mutant TRUSTS_HOLDER: in a signal handler, whoever holds the lock is taken to leave nothing behind
 * mutant NO_SECOND_LOOK: who has queued an entity does not look whether the worker is away */
#ifdef TWO_PRODUCERS
#define THREADS 3
#else
#define THREADS 2
#endif
#define VARIABLES 3
#define QUEUED 0
#define LOCK 1
#define AWAY 2
#include "store_buffers.pml"

byte handed;

inline hand_on(t) {
  lock(t, LOCK);
  load(t, QUEUED, seen);
  store(t, QUEUED, 0);
  handed = handed + seen;
  seen = 0;
  unlock(t, LOCK)
}

inline look(t) {
#if defined(NO_LOCK)
  load(t, QUEUED, seen)
#elif !defined(HANDLER) && !defined(TRUSTS_HOLDER)
  lock(t, LOCK);
  load(t, QUEUED, seen);
  unlock(t, LOCK)
#else
  exchange(t, LOCK, 1, kept);
  if
  :: !kept -> load(t, QUEUED, seen); unlock(t, LOCK)
#ifdef TRUSTS_HOLDER
  :: else
#else
  :: else -> seen = 1
#endif
  fi;
  kept = 0
#endif
}

proctype worker(byte me) {
  byte seen, kept;
#ifdef LOOKS_FIRST
  look(me);
  store(me, AWAY, 1);
#else
  store(me, AWAY, 1);
  look(me);
#endif
  if
  :: seen -> hand_on(me)
  :: else
  fi
}

proctype producer(byte me) {
  byte seen;
  lock(me, LOCK);
  load(me, QUEUED, seen);
  store(me, QUEUED, seen + 1);
  unlock(me, LOCK);
#ifndef NO_SECOND_LOOK
  hot_fence(me);
  load(me, AWAY, seen);
  if
  :: seen -> hand_on(me)
  :: else
  fi
#endif
}

init {
  byte i = 1;
  atomic {
    run worker(0);
    do
    :: i < THREADS -> run producer(i); i++
    :: else -> break
    od
  }
  timeout;
  assert(memory[AWAY] == 1 && memory[QUEUED] == 0 && handed == THREADS - 1)
}
