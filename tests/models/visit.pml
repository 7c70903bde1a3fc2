// SPDX-License-Identifier: Apache-2.0
/* A signal for a member that may be suspended: see_to, tell and handle_as_visitor in src/sched/signals.cpp, begin_visit
 * and await_visitor in src/sched/visit.cpp, against a worker that goes on with the member's frames and suspends them
 * again. The worker and a visitor are never on these frames at once, and the signal is handled once.
 * variant CALL: the frames wait below a call on another stack, and the worker comes back to them
 * mutant NO_FENCE: the worker looks for a visitor without a fence
 * mutant NO_LOOK: the worker does not look for a visitor
 * mutant LOOKS_FIRST: the sender looks where the member runs before it claims its stack
 * mutant NO_CONTEXT: the sender does not ask whether the frames' context has been saved
 * mutant CALL_UNTOLD: the worker comes back from a call without a word */
#ifdef CALL_UNTOLD
#define CALL
#endif
#define THREADS 3 /* 0: worker; 1: sender; 2: visitor */
#define VARIABLES 4
#define PENDING 0
#define IN_FORCE 1
#define CLAIM 2
#define CONTEXT 3 /* it has been saved */
#include "store_buffers.pml"

byte on_frames, handled;
bool visits;

inline step_on() { atomic { assert(on_frames == 0); on_frames++ } }
inline step_off() { on_frames-- }

inline handle_signal(t) {
  exchange(t, PENDING, 0, seen);
  if
  :: seen -> handled++
  :: else
  fi;
  seen = 0
}

inline await_visitor(t) {
#ifndef NO_FENCE
  full_fence(t);
#endif
#ifndef NO_LOOK
  do
  :: load(t, CLAIM, seen);
     if
     :: seen == 0 -> break
     :: else
     fi
  od;
#endif
  seen = 0
}

proctype worker() {
  byte seen, turns;
  do
  :: turns < 2 ->
     turns++;
#ifdef CALL
#ifndef CALL_UNTOLD
     store(0, CONTEXT, 0);
#endif
     await_visitor(0);
     step_on();
     store(0, IN_FORCE, 1);
     full_fence(0);
#else
     store(0, IN_FORCE, 1);
     await_visitor(0);
     step_on();
     store(0, CONTEXT, 0);
#endif
     handle_signal(0);
     store(0, IN_FORCE, 0);
     step_off();
     store(0, CONTEXT, 1)
  :: break
  od
}

proctype sender() {
  byte seen, runs, saved = 1;
  store(1, PENDING, 1);
  full_fence(1);
  do
  :: load(1, PENDING, seen);
     if
     :: seen == 0 -> break
     :: else
     fi;
#ifdef LOOKS_FIRST
     load(1, IN_FORCE, runs);
#endif
     atomic {
       empty(buffer[1]) && memory[CLAIM] == 0 -> memory[CLAIM] = 1
     }
     full_fence(1);
#ifndef LOOKS_FIRST
     load(1, IN_FORCE, runs);
#endif
#ifndef NO_CONTEXT
     load(1, CONTEXT, saved);
#endif
     if
     :: runs == 0 && saved -> visits = true; !visits
     :: else -> store(1, CLAIM, 0)
     fi;
     runs = 0
  od
}

/* The kernel takes the claim back when it has ended. */
proctype visitor() {
  byte seen;
end:
  do
  :: visits ->
     step_on();
     handle_signal(2);
     step_off();
     store(2, CLAIM, 0);
     full_fence(2);
     visits = false
  od
}

init {
  atomic {
    memory[CONTEXT] = 1;
    run worker(); run sender(); run visitor()
  }
  timeout;
  assert(handled == 1 && on_frames == 0)
}
