// SPDX-License-Identifier: Apache-2.0
/* A signal is sent to a member while a worker puts that one's block in force: send_signal and begin_own_signals
 * against enter_with_care and answer in src/sched/signals.cpp. The errand's handler runs on the worker between any
 * two of its steps. The worker keeps the block; the signal arrives there.
 * variant FIRST: the worker does not enter with care yet, until it is asked
 * mutant NO_FENCE: the worker looks at the member's signals without a fence
 * mutant LOOKS_FIRST: the sender looks where the member runs before it stores the signal
 * mutant NO_REQUEST: who sends the first signal does not ask the worker to enter with care */
#define THREADS 2
#define VARIABLES 2
#define PENDING 0
#define IN_FORCE 1
#include "store_buffers.pml"

bool asked, careful, delivered;

inline deliver(t) {
  exchange(t, PENDING, 0, seen);
  delivered = delivered || seen;
  seen = 0
}

/* The block in force is a register: its worker's handler reads what the worker wrote. */
inline handle(t) {
  asked = false;
  careful = true;
  if
  :: in_force -> deliver(t)
  :: else
  fi
}

inline maybe_handle(t) {
  if
  :: asked -> handle(t)
  :: true
  fi
}

proctype worker(byte me) {
  byte seen;
  bool in_force, cares;
  maybe_handle(me);
  store(me, IN_FORCE, 1);
  maybe_handle(me);
  in_force = true;
  maybe_handle(me);
  cares = careful;
  maybe_handle(me);
  if
  :: cares ->
#ifndef NO_FENCE
    full_fence(me);
#endif
    load(me, PENDING, seen);
    if
    :: seen -> deliver(me)
    :: else
    fi
  :: else
  fi;
end:
  do
  :: asked -> handle(me)
  od
}

proctype sender(byte me) {
  byte seen;
#ifdef LOOKS_FIRST
  load(me, IN_FORCE, seen);
#endif
#if (defined(FIRST) && !defined(NO_REQUEST))
  asked = true;
  !asked;
#endif
  store(me, PENDING, 1);
  full_fence(me);
#ifndef LOOKS_FIRST
  load(me, IN_FORCE, seen);
#endif
  if
  :: seen -> asked = true
  :: else
  fi
}

init {
  atomic {
#if !defined(FIRST) && !defined(NO_REQUEST)
    careful = true;
#endif
    run worker(0);
    run sender(1)
  }
  timeout;
  assert(delivered)
}
