// SPDX-License-Identifier: Apache-2.0
/* Publication and join of a hot team: src/sync/claim_range.h, and publish, call_claimed,
 * report_finished, call_unclaimed and all_finished in src/omp/region/parallel.cpp.
 * Regions of three members, one seat; generations wrap after two. The seat's worker claims from the low
 * end, a thief from the high end, as late as they like; the encountering thread takes what is left at
 * the join. Each member is called once in each region, with the region's data and generation, and has
 * ended at the join.
 * mutant NO_GENERATION: a claim does not look at the generation
 * mutant DATA_LAST: the claims are published before the data
 * mutant COUNTS_FIRST: a member is reported as finished before it has ended
 * mutant TWO_STEPS: a claim is a load and a store */
#define REGIONS 4
#define MEMBERS 3
#define GENERATIONS 2

byte generation, low, high;  /* the word of the claims */
byte data;
byte finished;
byte region;                 /* the region in force, 0: none */
byte called[MEMBERS], ended;

inline call_member(number, with_generation) {
  atomic {
    assert(region != 0 && called[number] == 0);
    assert(with_generation == region % GENERATIONS);
    called[number] = 1
  }
  assert(data == region);
  assert(region != 0);
  ended++
}

inline claim(from_low, wanted, number) {
  number = 0; /* none: member 0 is never claimed */
  do
  :: atomic {
       seen_generation = generation;
       seen_low = low;
       seen_high = high
     }
     if
#ifndef NO_GENERATION
     :: seen_generation != wanted || seen_low >= seen_high -> break
#else
     :: seen_low >= seen_high -> break
#endif
     :: else
     fi;
     if
     :: atomic {
#ifdef TWO_STEPS
          true ->
#else
          seen_generation == generation && seen_low == low && seen_high == high ->
#endif
          if
          :: from_low -> number = seen_low; low = seen_low + 1
          :: else -> number = seen_high - 1; high = seen_high - 1
          fi
        }
        break
#ifndef TWO_STEPS
     :: atomic { seen_generation != generation || seen_low != low || seen_high != high -> skip }
#endif
     fi
  od;
  seen_generation = 0; seen_low = 0; seen_high = 0
}

proctype taker(bool from_low) {
  byte seen_generation, seen_low, seen_high, number, wanted, count;
end:
  do
  :: atomic { low < high -> wanted = generation } /* and then it may be late */
     do
     :: claim(from_low, wanted, number);
        if
        :: number == 0 -> break
        :: else
        fi;
#ifdef COUNTS_FIRST
        finished++;
#endif
        call_member(number, wanted);
#ifndef COUNTS_FIRST
        count++
#endif
     od;
     finished = finished + count; /* one read-modify-write */
     count = 0; number = 0; wanted = 0
  od
}

proctype encountering() {
  byte seen_generation, seen_low, seen_high, number, before, by_parent, r;
  do
  :: r < REGIONS ->
     r++;
     before = finished;
     by_parent = 0;
     atomic { region = r; ended = 0; called[1] = 0; called[2] = 0 }
#ifndef DATA_LAST
     data = r;
#endif
     atomic { generation = r % GENERATIONS; low = 1; high = MEMBERS }
#ifdef DATA_LAST
     data = r;
#endif
     do
     :: claim(true, r % GENERATIONS, number);
        if
        :: number == 0 -> break
        :: else -> call_member(number, r % GENERATIONS); by_parent++
        fi
     od;
     (finished - before) + by_parent == MEMBERS - 1;
     assert(called[1] && called[2] && ended == MEMBERS - 1);
     region = 0
  :: else -> break
  od
}

init {
  atomic { run encountering(); run taker(true); run taker(false) }
  timeout;
  assert(data == REGIONS && region == 0)
}
