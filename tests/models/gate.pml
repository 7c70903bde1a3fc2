// SPDX-License-Identifier: Apache-2.0
/* The gate that many pass and one closes: src/sync/gate.h. Two pass twice each; one closes it and opens it twice. While
 * it is closed nobody is inside.
 * mutant NO_FENCE: who passes looks without a fence after its flag
 * mutant NO_CLOSERS_FENCE: who closes looks without one
 * mutant STAYS: who finds it closed goes on
 * mutant NO_WAIT: who closes does not wait */
#define THREADS 3 /* 0, 1: pass; 2: closes */
#define VARIABLES 3
#define CLOSED 2 /* 0, 1: inside */
#include "store_buffers.pml"

byte inside;    /* in truth */
bool changing;  /* in truth */

proctype passes(byte me) {
  byte round, seen;
  do
  :: round == 2 -> break
  :: else ->
     store(me, me, 1);
#ifndef NO_FENCE
     full_fence(me);
#endif
     load(me, CLOSED, seen);
     if
#ifndef STAYS
     :: seen ->
        store(me, me, 0);
        memory[CLOSED] == 0 /* waits for the closers' lock */
#endif
#ifdef STAYS
     :: true ->
#else
     :: else ->
#endif
        inside++;
        assert(!changing);
        inside--;
        store(me, me, 0);
        round++
     fi;
     seen = 0
  od
}

proctype closes(byte me) {
  byte round, other, seen;
  do
  :: round == 2 -> break
  :: else ->
     store(me, CLOSED, 1);
#ifndef NO_CLOSERS_FENCE
     full_fence(me);
#endif
#ifndef NO_WAIT
     other = 0;
     do
     :: other == 2 -> break
     :: else ->
        load(me, other, seen);
        if
        :: seen == 0 -> other++
        :: else -> memory[other] == 0
        fi
     od;
#endif
     changing = true;
     assert(inside == 0);
     changing = false;
     store(me, CLOSED, 0);
     full_fence(me); /* the closers' lock comes free later */
     round++;
     seen = 0
  od
}

init {
  atomic {
    run passes(0);
    run passes(1);
    run closes(2)
  }
}
