// SPDX-License-Identifier: Apache-2.0
/* Arming the monitor: enqueue in src/sched/suspend.cpp, arm_monitor, arm_slow and monitor_main in
 * src/sched/monitor.cpp, sleep in src/sched/idle.cpp.
 * A thread makes two entities ready on worker B, which sleeps or not, and then spins until the second
 * has run; so does the first. Both run: none is left behind a running one while the monitor sleeps.
 * variant FALLBACK: without membarrier
 * mutant NO_HEAVY_FENCE: the monitor looks once more without it
 * mutant TRUSTS_SLEEPERS: who sees a sleeper does not arm, even if somebody else has woken it
 * mutant FORGETS_WAKER: who is woken with work in hand does not arm in its waker's stead */
#define THREADS 3 /* 0: who makes ready, 1: worker B, 2: monitor */
#define VARIABLES 5
#define QUEUED 0
#define LOCK 1
#define COUNT 2
#define ASLEEP 3
#define ARMED 4
#include "store_buffers.pml"

#define FIRST 0  /* spins until the second has run */
byte popped;     /* entities that left the queue; they leave it in order */
byte handed;     /* to the spare, by the monitor */
bool second_ran, stuck;

inline take(t) {
  load(t, QUEUED, seen);
  got = 0;
  if
  :: seen > 0 ->
     lock(t, LOCK);
     load(t, QUEUED, seen);
     if
     :: seen > 0 -> store(t, QUEUED, seen - 1); got = 1; which = popped; popped++
     :: else
     fi;
     unlock(t, LOCK)
  :: else
  fi;
  seen = 0
}

inline run_entity() {
  if
  :: which == FIRST -> stuck = true; second_ran; stuck = false
  :: else -> second_ran = true
  fi;
  which = 0
}

inline arm(t) {
  load(t, ARMED, seen);
  if
  :: !seen -> exchange(t, ARMED, 1, seen)
  :: else
  fi
}

proctype worker_b(byte me) {
  byte seen, got, which, i;
  do
  :: take(me);
     if
     :: got -> run_entity()
     :: else ->
        store(me, ASLEEP, 1);
        add(me, COUNT, 1);
        heavy_fence(me, i);
        take(me);
        if
        :: got ->
#ifdef FORGETS_WAKER
           store(me, ASLEEP, 0);
#else
           exchange(me, ASLEEP, 0, seen);
           if
           :: seen == 0 -> arm(me)
           :: else
           fi;
#endif
           seen = 0
        :: else ->
end_asleep:
           memory[ASLEEP] == 0
        fi;
        add(me, COUNT, -1);
        if
        :: got -> run_entity()
        :: else
        fi
     fi
  od
}

inline wake_b(t) {
  exchange(t, ASLEEP, 0, woken)
}

inline enqueue(t) {
  lock(t, LOCK);
  load(t, QUEUED, seen);
  store(t, QUEUED, seen + 1);
  unlock(t, LOCK);
  hot_fence(t);
  load(t, ASLEEP, seen);
  woken = 0;
  if
  :: seen -> wake_b(t)
  :: else ->
     load(t, COUNT, seen);
     if
     :: seen ->
        load(t, ASLEEP, seen); /* wake_any */
        if
        :: seen -> wake_b(t)
        :: else
        fi;
#ifdef TRUSTS_SLEEPERS
        woken = 1
#endif
     :: else
     fi
  fi;
#ifdef TRUSTS_SLEEPERS
  woken = woken | seen;
#endif
  if
  :: !woken -> arm(t)
  :: else
  fi;
  seen = 0
}

proctype thread_a(byte me) {
  byte seen, woken;
  enqueue(me);
  enqueue(me);
  second_ran
}

proctype spare() {
  byte which;
  do
  :: atomic { handed > 0; handed--; which = popped; popped++ }
     run_entity()
  :: second_ran -> break
  od
}

/* Ticks without an effect are left out: it waits for what it would find. */
proctype monitor(byte me) {
  byte seen, i;
asleep:
end_asleep:
  memory[ARMED] == 1;
ticking:
  if
  :: memory[QUEUED] > 0 && stuck ->
     lock(me, LOCK);
     load(me, QUEUED, seen);
     store(me, QUEUED, 0);
     handed = handed + seen;
     seen = 0;
     unlock(me, LOCK);
     goto ticking
  :: memory[QUEUED] == 0 -> /* long enough */
     store(me, ARMED, 0);
#ifndef NO_HEAVY_FENCE
     heavy_fence(me, i);
#endif
     load(me, QUEUED, seen);
     if
     :: seen > 0 -> store(me, ARMED, 1); seen = 0; goto ticking
     :: else -> empty(buffer[me]); goto asleep
     fi
  fi
}

init {
  atomic { run thread_a(0); run worker_b(1); run monitor(2); run spare() }
  timeout;
  assert(second_ran && popped == 2 && memory[QUEUED] == 0)
}
