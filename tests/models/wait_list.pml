// SPDX-License-Identifier: Apache-2.0
/* The wait list: src/sched/wait_list.h.
 * Two waiters for one condition each; one waker makes both true, one after the other. Everybody gets on.
 * variant RARE: kRare, wakers pass a hot fence
 * variant RARE_FALLBACK: the same without membarrier
 * mutant LOOK_FIRST: the waiter looks at the condition before it stands in the list
 * mutant NO_WAKER_FENCE: the waker looks at the list without a fence
 * mutant NO_HEAVY_FENCE: kRare, and the waiter looks without it */
#ifdef RARE_FALLBACK
#define RARE
#define FALLBACK
#endif
#ifdef NO_HEAVY_FENCE
#define RARE
#endif
#define THREADS 3 /* 0, 1: waiters; 2: waker */
#define VARIABLES 3
#define CONDITION 0 /* and 1 */
#define LIST 2      /* a set: it is only ever taken whole */
#include "store_buffers.pml"

bool suspended[2], ready[2];
byte passed;

inline make_ready(which) {
  atomic {
    assert(suspended[which] && !ready[which]);
    ready[which] = true
  }
}

inline wake_all(t) {
  exchange(t, LIST, 0, set);
  if
  :: set & 1 -> make_ready(0)
  :: else
  fi;
  if
  :: set & 2 -> make_ready(1)
  :: else
  fi;
  set = 0
}

proctype waiter(byte me) {
  byte seen, set, i;
  do
  :: load(me, CONDITION + me, seen);
     if
     :: seen -> break
     :: else
     fi;
     suspended[me] = true;
#ifdef LOOK_FIRST
     load(me, CONDITION + me, seen);
#endif
     atomic { empty(buffer[me]); memory[LIST] = memory[LIST] | (1 << me) }
#ifdef RARE
#ifndef NO_HEAVY_FENCE
     heavy_fence(me, i);
#endif
#endif
#ifndef LOOK_FIRST
     load(me, CONDITION + me, seen);
#endif
     if
     :: seen -> wake_all(me)
     :: else
     fi;
     atomic { ready[me]; ready[me] = false; suspended[me] = false }
  od;
  passed++
}

proctype waker(byte me) {
  byte seen, set, which;
  do
  :: which < 2 ->
     store(me, CONDITION + which, 1);
#ifdef RARE
     hot_fence(me);
#else
#ifndef NO_WAKER_FENCE
     full_fence(me);
#endif
#endif
     load(me, LIST, seen);
     if
     :: seen -> wake_all(me)
     :: else
     fi;
     which++
  :: else -> break
  od
}

init {
  atomic { run waiter(0); run waiter(1); run waker(2) }
  timeout;
  assert(passed == 2)
}
