// SPDX-License-Identifier: Apache-2.0
/* The monitor leaves what tasks may come to sleepers: monitor_main in src/sched/monitor.cpp, note_awake in
 * src/sched/alarm.cpp, sleep in src/sched/idle.cpp, publish_in in src/sched/publish.h, which does not arm.
 * A thread outside of regions makes a task for worker B, which sleeps or is about to; that one makes another behind
 * itself and spins until it has run. Both run: the monitor watches again.
 * variant FALLBACK: without membarrier
 * mutant NO_HEAVY_FENCE: the monitor looks once more without it
 * mutant LOOKS_FIRST: the monitor does not look once more
 * mutant NOTES_FIRST: who has slept looks at what was left to sleepers before
 * mutant TELLS_NOBODY: who has slept does not arm */
#define THREADS 3 /* 0: who makes the first task, 1: worker B, 2: monitor */
#define VARIABLES 5
#define QUEUED 0
#define LOCK 1
#define ASLEEP 2
#define ARMED 3
#define LEFT 4
#include "store_buffers.pml"

bool first_begun, second_ran, stuck;

inline take(t) {
  load(t, QUEUED, seen);
  got = 0;
  if
  :: seen > 0 ->
     lock(t, LOCK);
     load(t, QUEUED, seen);
     if
     :: seen > 0 -> store(t, QUEUED, seen - 1); got = 1
     :: else
     fi;
     unlock(t, LOCK)
  :: else
  fi;
  seen = 0
}

inline queue(t) {
  lock(t, LOCK);
  load(t, QUEUED, seen);
  store(t, QUEUED, seen + 1);
  unlock(t, LOCK);
  hot_fence(t);
  seen = 0
}

inline note_awake(t) {
#ifndef TELLS_NOBODY
  hot_fence(t);
  load(t, LEFT, seen);
  if
  :: seen ->
     load(t, ARMED, seen);
     if
     :: !seen -> exchange(t, ARMED, 1, seen)
     :: else
     fi
  :: else
  fi;
#endif
  seen = 0
}

inline run_task(t) {
  if
  :: !first_begun -> first_begun = true; queue(t); stuck = true; second_ran; stuck = false
  :: else -> second_ran = true
  fi
}

proctype outside(byte me) {
  byte seen;
  queue(me);
  load(me, ASLEEP, seen);
  if
  :: seen -> exchange(me, ASLEEP, 0, seen)
  :: else
  fi
}

proctype worker_b(byte me) {
  byte seen, got, i;
  do
  :: take(me);
     if
     :: got -> run_task(me)
     :: else ->
        store(me, ASLEEP, 1);
        heavy_fence(me, i);
        take(me);
#ifdef NOTES_FIRST
        note_awake(me);
#endif
        if
        :: got -> exchange(me, ASLEEP, 0, seen)
        :: else ->
end_asleep:
           memory[ASLEEP] == 0
        fi;
        seen = 0;
#ifndef NOTES_FIRST
        note_awake(me);
#endif
        if
        :: got -> run_task(me)
        :: else
        fi
     fi
  od
}

/* Ticks without an effect are left out. */
proctype monitor(byte me) {
  byte seen, waits, i;
ticking:
  if
  :: memory[QUEUED] > 0 && stuck -> /* to a spare */
     lock(me, LOCK);
     store(me, QUEUED, 0);
     unlock(me, LOCK);
     second_ran = true;
     goto ticking
  :: memory[QUEUED] == 0 && memory[ASLEEP] == 1 -> /* for long enough */
     store(me, LEFT, 1);
     store(me, ARMED, 0);
#ifndef NO_HEAVY_FENCE
     heavy_fence(me, i);
#endif
#ifndef LOOKS_FIRST
     load(me, QUEUED, waits);
     load(me, ASLEEP, seen);
     if
     :: waits > 0 || !seen -> store(me, ARMED, 1)
     :: else
     fi;
#endif
     waits = 0; seen = 0;
     empty(buffer[me]);
end_asleep:
     memory[ARMED] == 1;
     store(me, LEFT, 0);
     goto ticking
  fi
}

init {
  atomic { memory[ARMED] = 1; run outside(0); run worker_b(1); run monitor(2) }
  timeout;
  assert(second_ran && memory[QUEUED] == 0)
}
