// SPDX-License-Identifier: Apache-2.0
/* Leaving and taking a seat against publication: src/sched/announce.cpp (set_seated, leave_seat,
 * take_seat), sleep in src/sched/idle.cpp, publish in src/omp/region/parallel.cpp.
 * Two regions with one member at the seat. The publisher spins until it has run, so somebody else has
 * to: the seat's worker if the publisher relied on it, or a worker that sees the bubble announced.
 * variant FALLBACK: without membarrier
 * mutant NO_HEAVY_FENCE: leave_seat looks at the claims without it
 * mutant NO_FENCE_SEATED: set_seated without its heavy fence
 * mutant NO_HOT_FENCE: FALLBACK, and leave_seat looks at `seated` without the hot fence
 * mutant SLEEPS_AT_SEAT: sleep does not look at the seat that it left */
#ifdef NO_HOT_FENCE
#define FALLBACK
#endif
#define THREADS 2 /* 0: publisher, 1: the seat's worker */
#define VARIABLES 3
#define SEATED 0
#define SEAT 1    /* what the worker polls: this seat, or none */
#define CLAIMS 2
#include "store_buffers.pml"

bool announced; /* under the runqueue's lock; who looks there finds it */
byte ran;

inline set_seated(t, value) {
  load(t, SEATED, seen);
  if
  :: seen != (value) ->
     store(t, SEATED, value);
     if
#ifndef NO_FENCE_SEATED
     :: (value) -> heavy_fence(t, i)
#endif
     :: else
     fi
  :: else
  fi
}

proctype publisher(byte me) {
  byte seen, i, attended, region;
  do
  :: region < 2 ->
     region++;
     if
     :: set_seated(me, 0)
     :: set_seated(me, 1)
     fi;
     store(me, CLAIMS, 1);
     hot_fence(me);
     load(me, SEAT, attended);
     load(me, SEATED, seen);
     if
     :: attended && seen
     :: else -> atomic { empty(buffer[me]); announced = true }
     fi;
     ran == region;
     announced = false /* withdraw */
  :: else -> break
  od
}

inline claim(t) {
  exchange(t, CLAIMS, 0, got);
  if
  :: got -> ran++; got = 0
  :: else
  fi
}

/* gone: it polls the seat no more, and it is not needed there. */
inline leave_seat(t) {
  gone = 1;
  store(t, SEAT, 0);
#ifndef NO_HOT_FENCE
  hot_fence(t);
#endif
  load(t, SEATED, seen);
  if
  :: seen ->
#ifndef NO_HEAVY_FENCE
     heavy_fence(t, i);
#endif
     load(t, CLAIMS, seen);
     if
     :: seen -> store(t, SEAT, 1); gone = 0
     :: else
     fi
  :: else
  fi;
  seen = 0
}

proctype worker(byte me) {
  byte seen, i, got, gone;
at_seat:
end_at_seat:
  do
  :: memory[CLAIMS] -> claim(me) /* and take_seat, which finds the seat taken */
  :: ran < 2 -> /* an entity waits that spins for ever */
     leave_seat(me);
     if
     :: gone -> goto over
     :: else -> claim(me)
     fi
  :: ran < 2 -> /* it sleeps */
     store(me, SEAT, 0);
     heavy_fence(me, i);
#ifndef SLEEPS_AT_SEAT
     load(me, CLAIMS, seen);
#endif
     if
     :: seen
     :: else ->
end_asleep:
        announced
     fi;
     seen = 0;
     claim(me);
     store(me, SEAT, 1)
  od;
over:
}

proctype other_worker() {
  byte got;
end:
  do
  :: atomic { announced && memory[CLAIMS] -> memory[CLAIMS] = 0; ran++ }
  od
}

init {
  atomic { memory[SEAT] = 1; run publisher(0); run worker(1); run other_worker() }
  timeout;
  assert(ran == 2)
}
