// SPDX-License-Identifier: Apache-2.0
/* Waiting by address: src/sched/parking.cpp (enlist, wake).
 * Two wakers set the word, each with one wake-up; two waiters wait while it is 0. Both get on, and nobody is made ready who does not stand in the list.
 * mutant NO_FENCE: the waker looks at the count of waiters without a fence
 * mutant LOOK_FIRST: the waiter looks at the word before it counts itself
 * mutant NO_LOCK: the waiter counts itself and looks without the bucket's lock
 * variant WEAK: read-modify-writes are no fences (store_buffers.pml), a sequentially consistent load waits for them
 * mutant WEAK_PLAIN_LOAD: that load is an ordinary one */
#ifdef WEAK_PLAIN_LOAD
#define WEAK
#endif
#define THREADS 4 /* 0, 1: waiters; 2, 3: wakers */
#define VARIABLES 3
#define WORD 0
#define WAITERS 1
#define LOCK 2
#include "store_buffers.pml"

chan list = [2] of { byte }; /* under the lock */
bool ready[2];
byte passed;

proctype waiter(byte me) {
  byte seen, before;
#ifdef LOOK_FIRST
  load(me, WORD, seen);
#endif
#ifndef NO_LOCK
  lock(me, LOCK);
#endif
  update(me, WAITERS, before + 1, before);
#ifndef LOOK_FIRST
#ifndef WEAK_PLAIN_LOAD
  fence_after_atomic(me);
#endif
  load(me, WORD, seen);
#endif
  if
  :: seen != 0 -> update(me, WAITERS, before - 1, before)
  :: else -> list!me
  fi;
#ifndef NO_LOCK
  unlock(me, LOCK);
#endif
  if
  :: seen == 0 -> ready[me]
  :: else
  fi;
  passed++
}

proctype waker(byte me) {
  byte seen, which;
  store(me, WORD, 1);
#ifndef NO_FENCE
  full_fence(me);
#endif
  load(me, WAITERS, seen);
  if
  :: seen > 0 ->
     lock(me, LOCK);
     if
     :: atomic { nempty(list) -> list?which };
        update(me, WAITERS, seen - 1, seen);
        unlock(me, LOCK);
        atomic { assert(!ready[which]); ready[which] = true }
     :: empty(list) -> unlock(me, LOCK)
     fi
  :: else
  fi
}

init {
  atomic { run waiter(0); run waiter(1); run waker(2); run waker(3) }
  timeout;
  assert(passed == 2 && memory[WAITERS] == 0)
}
