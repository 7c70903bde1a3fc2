// SPDX-License-Identifier: Apache-2.0
/* The wait list: src/sched/wait_list.h.
 * Two waiters for one condition each; one waker makes both true, one after the other. Everybody gets on.
 * variant UPDATED: the waker makes the condition true by a read-modify-write, as the end of a member, of a task and of
 *   a region by cancellation do
 * variant WEAK: read-modify-writes are no fences (store_buffers.pml)
 * variant WEAK_UPDATED: both
 * variant RARE: kRare, wakers pass a hot fence
 * variant RARE_FALLBACK: the same without membarrier
 * mutant LOOK_FIRST: the waiter looks at the condition before it stands in the list
 * mutant NO_WAKER_FENCE: the waker looks at the list without a fence
 * mutant NO_HEAVY_FENCE: kRare, and the waiter looks without it
 * mutant WEAK_NO_FENCE_AFTER_PUSH: the waiter looks at the condition as if to stand in the list were a fence
 * mutant WEAK_NO_FENCE_AFTER_UPDATE: the waker looks at the list as if its read-modify-write were one */
#ifdef WEAK_UPDATED
#define WEAK
#define UPDATED
#endif
#ifdef WEAK_NO_FENCE_AFTER_PUSH
#define WEAK
#endif
#ifdef WEAK_NO_FENCE_AFTER_UPDATE
#define WEAK
#define UPDATED
#endif
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
  update(t, LIST, 0, set);
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
     update(me, LIST, set | (1 << me), set);
     set = 0;
#ifdef RARE
#ifndef NO_HEAVY_FENCE
     heavy_fence(me, i);
#endif
#else
#ifndef WEAK_NO_FENCE_AFTER_PUSH
     fence_after_atomic(me);
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
#ifdef UPDATED
     update(me, CONDITION + which, 1, seen);
#ifndef WEAK_NO_FENCE_AFTER_UPDATE
     fence_after_atomic(me);
#endif
#else
     store(me, CONDITION + which, 1);
#ifdef RARE
     hot_fence(me);
#else
#ifndef NO_WAKER_FENCE
     full_fence(me);
#endif
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
