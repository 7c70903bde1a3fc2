// SPDX-License-Identifier: Apache-2.0
/* A flat team's barrier: meet_at_flags in src/omp/worksharing/barrier.cpp, mark_used in src/omp/task/task_count.cpp.
 * Two barriers, one after the other; each member may make a task before the second. All get on, nobody
 * leaves before all have come, and all agree whether the flags decide or the counter.
 * variant FALLBACK: without membarrier
 * variant THREE: three members, one barrier
 * variant WEAK: read-modify-writes are no fences (store_buffers.pml)
 * variant WEAK_THREE: both
 * mutant NO_HEAVY_FENCE: who sleeps looks at the flags without it
 * mutant NO_FULL_FENCE: who finds sleepers looks at the flags without another fence
 * mutant MARKS_LATE: a member marks its task after it has raised its flag
 * mutant WEAK_NO_HEAVY_FENCE: who sleeps looks as if to enlist were a fence */
#ifdef NO_FULL_FENCE
#define THREE
#endif
#ifdef WEAK_THREE
#define WEAK
#define THREE
#endif
#ifdef WEAK_NO_HEAVY_FENCE
#define WEAK
#define NO_HEAVY_FENCE
#endif
#ifdef THREE
#define MEMBERS 3
#define BARRIERS 1
#else
#define MEMBERS 2
#define BARRIERS 2
#endif
#define THREADS MEMBERS
#define VARIABLES 5
#define SLEEPERS 0 /* a set: it is only ever taken whole */
#define MARK 1     /* used_before */
#define FLAG 2     /* and on */
#include "store_buffers.pml"

#define FLAGS_DECIDE 1
#define COUNTER_DECIDES 2
bool ready[MEMBERS];
byte verdict[BARRIERS + 1], came[BARRIERS + 1], counted[BARRIERS + 1], passed;

inline all_arrived(t) {
  done = 1;
  i = 0;
  do
  :: i < MEMBERS ->
     load(t, FLAG + i, seen);
     done = (done && seen >= barrier);
     i++
  :: else -> break
  od;
  i = 0; seen = 0
}

inline wake_all(t) {
  atomic {
    update(t, SLEEPERS, 0, seen);
    do
    :: i < MEMBERS ->
       if
       :: seen & (1 << i) -> assert(!ready[i]); ready[i] = true
       :: else
       fi;
       i++
    :: else -> break
    od;
    i = 0; seen = 0
  }
}

/* The flags are all up, or a task was made before this barrier. */
inline look(t) {
  all_arrived(t);
  if
  :: !done -> load(t, MARK, seen); done = (seen == barrier); seen = 0
  :: else
  fi
}

inline meet(decided) {
  load(me, MARK, seen);
  decided = (seen == barrier -> COUNTER_DECIDES : FLAGS_DECIDE);
  seen = 0;
  atomic {
    assert(verdict[barrier] == 0 || verdict[barrier] == decided);
    verdict[barrier] = decided
  }
  if
  :: decided == COUNTER_DECIDES -> counted[barrier]++; counted[barrier] == MEMBERS
  :: else
  fi;
  assert(came[barrier] == MEMBERS)
}

inline make_task() {
  if
  :: barrier == BARRIERS -> store(me, MARK, barrier)
  :: true
  fi
}

proctype member(byte me) {
  byte barrier, seen, i, done, decided;
  do
  :: barrier < BARRIERS ->
     barrier++;
#ifndef MARKS_LATE
     make_task();
#endif
     came[barrier]++;
     store(me, FLAG + me, barrier);
#ifdef MARKS_LATE
     make_task();
#endif
     hot_fence(me);
     load(me, SLEEPERS, seen);
     if
     :: seen ->
        seen = 0;
#ifndef NO_FULL_FENCE
        full_fence(me);
#endif
        all_arrived(me);
        if
        :: done -> wake_all(me)
        :: else
        fi
     :: else
     fi;
     do
     :: look(me);
        if
        :: done -> break
        :: else
        fi;
        update(me, SLEEPERS, seen | (1 << me), seen);
        seen = 0;
#ifndef NO_HEAVY_FENCE
        heavy_fence(me, i);
#endif
        look(me);
        if
        :: done -> wake_all(me)
        :: else
        fi;
        atomic { ready[me]; ready[me] = false }
     od;
     done = 0;
     meet(decided);
     decided = 0
  :: else -> break
  od;
  passed++
}

init {
  byte n;
  atomic {
    do
    :: n < MEMBERS -> run member(n); n++
    :: else -> break
    od
  }
  timeout;
  assert(passed == MEMBERS)
}
