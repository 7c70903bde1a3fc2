// SPDX-License-Identifier: Apache-2.0
/* Sleeping against new work: src/sched/idle.cpp (sleep, enlist, delist, wake, wake_any) and those who
 * make work, enqueue in src/sched/suspend.cpp and announce in src/sched/announce.cpp.
 * A worker and two producers of one piece of work each, or two workers and one producer of two pieces.
 * No piece is left while all workers sleep.
 * variant TWO_WORKERS
 * variant SHARED: two workers share the heavy fence (src/sched/shared_fence.h)
 * variant FALLBACK: without membarrier
 * variant WEAK: read-modify-writes are no fences (store_buffers.pml)
 * variant WEAK_TWO_WORKERS: both
 * variant WEAK_SHARED
 * mutant WEAK_NO_HEAVY_FENCE: the sleeper looks once more as if to set its bit were a fence
 * mutant NO_HEAVY_FENCE: the sleeper looks once more without it
 * mutant SHARED_NO_FENCE: whoever comes first says that it has been passed
 * mutant NO_SECOND_LOOK: the sleeper does not look once more
 * mutant LOOK_FIRST: the producer looks at who sleeps before it has pushed */
#ifdef WEAK_TWO_WORKERS
#define WEAK
#define TWO_WORKERS
#endif
#ifdef WEAK_SHARED
#define WEAK
#define SHARED
#endif
#ifdef SHARED_NO_FENCE
#define SHARED
#endif
#ifdef SHARED
#define TWO_WORKERS
#endif
#ifdef WEAK_NO_HEAVY_FENCE
#define WEAK
#define NO_HEAVY_FENCE
#endif
#ifdef TWO_WORKERS
#define WORKERS 2
#define PIECES 2
#else
#define WORKERS 1
#define PIECES 1
#endif
#define THREADS 3
#ifdef SHARED
#define VARIABLES 9
#else
#define VARIABLES 6
#endif
#define WORK 0
#define LOCK 1
#define COUNT 2
#define BITS 3
#define ASLEEP 4
#define ASKED 6
#define PASSED_FOR 7
#define TAKEN 8
#include "store_buffers.pml"

byte done;

inline look(t) {
  load(t, WORK, seen);
  got = 0;
  if
  :: seen > 0 ->
     lock(t, LOCK);
     load(t, WORK, seen);
     if
     :: seen > 0 -> store(t, WORK, seen - 1); got = 1
     :: else
     fi;
     unlock(t, LOCK)
  :: else
  fi;
  seen = 0
}

inline set_bit(t) {
  update(t, BITS, seen | (1 << (t)), seen);
  seen = 0
}

inline clear_bit(t, n) {
  update(t, BITS, seen & (255 - (1 << (n))), seen);
  seen = 0
}

inline count_sleeper(t, more) {
  update(t, COUNT, seen + (more), seen);
  seen = 0
}

/* Waits for others to come as long as it likes. */
inline pass_shared_fence(me) {
  update(me, ASKED, seen + 1, seen);
  ticket = seen + 1;
  do
  :: seen_by(me, PASSED_FOR) >= ticket -> break
  :: seen_by(me, ASLEEP + me) == 0 -> break
  :: lock(me, TAKEN) ->
     load(me, PASSED_FOR, seen);
     if
     :: seen < ticket ->
        load(me, ASKED, seen);
#ifndef SHARED_NO_FENCE
        heavy_fence(me, i);
#endif
        store(me, PASSED_FOR, seen)
     :: else
     fi;
     unlock(me, TAKEN);
     break
  od;
  ticket = 0;
  seen = 0
}

proctype worker(byte me) {
  byte seen, got, i, ticket;
  do
  :: look(me);
     if
     :: got -> done++
     :: else ->
        store(me, ASLEEP + me, 1);
        count_sleeper(me, 1);
        set_bit(me);
#ifdef SHARED
        pass_shared_fence(me);
#else
#ifndef NO_HEAVY_FENCE
        heavy_fence(me, i);
#endif
#endif
#ifndef NO_SECOND_LOOK
        look(me);
#endif
        if
        :: got -> done++
        :: else ->
end_asleep:
           memory[ASLEEP + me] == 0
        fi;
        store(me, ASLEEP + me, 0);
        count_sleeper(me, -1);
        clear_bit(me, me)
     fi
  od
}

inline wake_any(t) {
  load(t, BITS, bits);
  i = 0;
  do
  :: i == WORKERS -> break
  :: i < WORKERS && (bits & (1 << i)) == 0 -> i++
  :: i < WORKERS && (bits & (1 << i)) != 0 ->
     clear_bit(t, i);
     load(t, ASLEEP + i, seen);
     if
     :: seen -> update(t, ASLEEP + i, 0, seen); break
     :: else -> i++
     fi
  od
}

inline push(t) {
  lock(t, LOCK);
  load(t, WORK, seen);
  store(t, WORK, seen + 1);
  unlock(t, LOCK)
}

proctype producer(byte me) {
  byte seen, bits, i, sleepers, made;
  do
  :: made < PIECES ->
#ifdef LOOK_FIRST
     load(me, COUNT, sleepers);
     push(me);
#else
     push(me);
     hot_fence(me);
     load(me, COUNT, sleepers);
#endif
     if
     :: sleepers -> wake_any(me)
     :: else
     fi;
     made++
  :: else -> break
  od
}

init {
  atomic {
#ifdef TWO_WORKERS
    run worker(0); run worker(1); run producer(2)
#else
    run worker(0); run producer(1); run producer(2)
#endif
  }
  timeout;
  assert(done == 2)
}
