// SPDX-License-Identifier: Apache-2.0
/* The turn of an ordered loop: sleep_until_turn and hand_on_turn in src/omp/worksharing/ordered.cpp; how one sleeps at a
 * word and is woken is parking.pml's.
 * One member hands the turn on twice, to each of two that sleep. Both get on.
 * variant FLAT: who hands on passes a hot fence, who sleeps a heavy one
 * variant FLAT_FALLBACK: the same without membarrier
 * variant WEAK: read-modify-writes are no fences (store_buffers.pml)
 * variant WEAK_FLAT: both
 * mutant NO_FENCE: who hands on looks at the count of sleepers without a fence
 * mutant NO_HEAVY_FENCE: FLAT, and who sleeps looks without it
 * mutant LOOK_FIRST: who sleeps looks at the turn before it counts itself
 * mutant WEAK_NO_FENCE_AFTER_COUNT: who sleeps looks as if to count itself were a fence */
#ifdef FLAT_FALLBACK
#define FLAT
#define FALLBACK
#endif
#ifdef WEAK_FLAT
#define FLAT
#define WEAK
#endif
#ifdef NO_HEAVY_FENCE
#define FLAT
#endif
#ifdef WEAK_NO_FENCE_AFTER_COUNT
#define WEAK
#endif
#define THREADS 3 /* 0, 1: sleepers, whose turns are 1 and 2; 2: who hands on */
#define VARIABLES 4
#define TURN 0
#define SLEEPERS 1
#define WORD 2 /* and 3: of each */
#include "store_buffers.pml"

byte passed;

inline count_itself() {
  update(me, SLEEPERS, before + 1, before);
#ifdef FLAT
#ifndef NO_HEAVY_FENCE
  heavy_fence(me, i);
#endif
#else
#ifndef WEAK_NO_FENCE_AFTER_COUNT
  fence_after_atomic(me);
#endif
#endif
  before = 0
}

proctype sleeper(byte me) {
  byte before, seen, turn, i;
#ifndef LOOK_FIRST
  count_itself();
#endif
  do
  :: load(me, WORD + me, seen);
     load(me, TURN, turn);
     if
     :: turn > me -> break /* and stays so for the other one */
     :: else
     fi;
#ifdef LOOK_FIRST
     count_itself();
#endif
     memory[WORD + me] != seen
  od;
  passed++
}

proctype hands_on(byte me) {
  byte seen, which;
  do
  :: which < 2 ->
     store(me, TURN, which + 1);
#ifdef FLAT
     hot_fence(me);
#else
#ifndef NO_FENCE
     full_fence(me);
#endif
#endif
     load(me, SLEEPERS, seen);
     if
     :: seen > 0 -> update(me, WORD + which, 1, seen); seen = 0
     :: else
     fi;
     which++
  :: else -> break
  od
}

init {
  atomic { run sleeper(0); run sleeper(1); run hands_on(2) }
  timeout;
  assert(passed == 2)
}
