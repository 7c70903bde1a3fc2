// SPDX-License-Identifier: Apache-2.0
/* An event for one waiter, which frees it as soon as it has seen it: src/sched/event.h.
 * mutant TWO_STEPS: signal looks who waits, and then says that it happened
 * mutant SAYS_FIRST: signal says that it happened, and then looks who waits */
mtype = { nothing, waiter, happened };
mtype word = nothing;
bool freed, suspended, ready, passed;

inline make_ready() { atomic { assert(suspended && !ready); ready = true } }

active proctype signal() {
  mtype old;
#ifdef TWO_STEPS
  old = word;
  word = happened;
#else
#ifdef SAYS_FIRST
  old = word;
  word = happened;
  assert(!freed);
  old = (word == waiter -> waiter : old);
#else
  atomic { assert(!freed); old = word; word = happened }
#endif
#endif
  if
  :: old == waiter -> make_ready()
  :: else
  fi
}

active proctype wait() {
  if
  :: word == happened -> skip /* polled */
  :: true ->
     suspended = true;
     if
     :: atomic { word == nothing -> word = waiter }
     :: atomic { word == happened -> ready = true } /* commit returns false */
     fi;
     atomic { ready; suspended = false }
     assert(word == happened)
  fi;
  freed = true;
  passed = true
}
