// SPDX-License-Identifier: Apache-2.0
/* Ranges that are stolen from: src/sync/steal_range.h, steal and show_range in src/omp/worksharing/loop.cpp.
 * Two members, a range of two numbers each, two generations of it, with another construct after each.
 * A member takes its own numbers, then steals the higher half of the other's and refills its own; it
 * may open the range of one that has not come yet. A thief may come late from its look at `at`. Each
 * number is had once.
 * mutant OPENS_EARLY: a thief opens the range of one that is not through with the generation before
 * mutant OPENS_LATE: a thief opens a range that serves a later generation by now
 * mutant BLIND_STORE: a thief stores what it leaves without a comparison
 * mutant NO_GENERATION: a thief does not look at the generation */
#define GENERATIONS 2
#define SIZE 2

byte generation[2], low[2], high[2]; /* the words */
byte at[2] = 1;                      /* W: the member: 2 g in generation g, 2 g + 1 after it */
bool had[8];

#define same(r) (seen_generation == generation[r] && seen_low == low[r] && seen_high == high[r])
#define have(g, n) had[((g) - 1) * 4 + (n)]

inline look(r) {
  atomic { seen_generation = generation[r]; seen_low = low[r]; seen_high = high[r] }
}

inline open_owner(g) {
  do
  :: look(me);
     if
     :: seen_generation == g -> break
     :: else ->
        if
        :: atomic { same(me) -> generation[me] = g; low[me] = me * SIZE; high[me] = me * SIZE + SIZE }
           break
        :: atomic { !same(me) -> skip }
        fi
     fi
  od
}

inline take_owner(g) {
  do
  :: look(me);
     if
     :: seen_low >= seen_high -> break
     :: else ->
        if
        :: atomic { same(me) -> low[me] = seen_low + 1 }
           atomic { assert(!have(g, seen_low)); have(g, seen_low) = true }
        :: atomic { !same(me) -> skip }
        fi
     fi
  od
}

inline steal(g, other) {
  part_low = 0; part_high = 0;
  may_open = at[other];
  if
#ifdef OPENS_EARLY
  :: may_open > 2 * g -> goto none
  :: else -> may_open = (may_open != 2 * g)
#else
  :: may_open > 2 * g || may_open < 2 * g - 1 -> goto none
  :: else -> may_open = (may_open == 2 * g - 1)
#endif
  fi;
  do
  :: look(other);
#ifndef OPENS_LATE
     may_open = may_open && seen_generation < g;
#endif
     if
#ifndef NO_GENERATION
     :: seen_generation != g && !may_open -> break
     :: seen_generation != g && may_open -> from = other * SIZE; to = other * SIZE + SIZE
     :: seen_generation == g -> from = seen_low; to = seen_high
#else
     :: true -> from = seen_low; to = seen_high
#endif
     fi;
     if
     :: from >= to -> break
     :: else ->
        middle = from + (to - from) / 2;
        if
        :: atomic {
#ifdef BLIND_STORE
             true ->
#else
             same(other) ->
#endif
             generation[other] = g; low[other] = from; high[other] = middle
           }
           part_low = middle; part_high = to;
           break
        :: atomic { !same(other) -> skip }
        fi
     fi
  od;
none:
  from = 0; to = 0; middle = 0; may_open = 0
}

proctype member(byte me) {
  byte seen_generation, seen_low, seen_high, from, to, middle, may_open, part_low, part_high, g;
  do
  :: g < GENERATIONS ->
     g++;
     open_owner(g);
     at[me] = 2 * g;
     do
     :: take_owner(g);
        steal(g, (1 - me));
        if
        :: part_low >= part_high -> break
        :: else -> /* refill_owner */
           atomic { generation[me] = g; low[me] = part_low; high[me] = part_high }
        fi
     od;
     at[me] = 2 * g + 1; /* the construct that another range serves */
     seen_generation = 0; seen_low = 0; seen_high = 0
  :: else -> break
  od
}

init {
  byte i;
  atomic { run member(0); run member(1) }
  timeout;
  do
  :: i < 8 -> assert(had[i]); i++
  :: else -> break
  od
}
