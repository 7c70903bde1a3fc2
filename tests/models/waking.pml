// SPDX-License-Identifier: Apache-2.0
/* Waking workers for a region in groups: src/sched/waking.h, announce() and fork() in src/omp/region/parallel.cpp, sleep()
 * in src/sched/idle.cpp. Three workers, groups of two, two regions of as many members as workers and one, which all have
 * to run at the same time: they wait for each other. The store and the look on each side are ordered by
 * fences (tests/models/sleep.pml), so memory is taken to be sequentially consistent here. A server may be late:
 * it goes on with the round of the next region.
 * mutant ONE_GROUP: who is woken wakes nobody
 * mutant ROUND_FIRST: the round begins before the claims are published
 * mutant STOPS_AWAKE: a group of which nobody sleeps ends the round
 * mutant NO_SECOND_LOOK: a worker sleeps without a second look for work */
#define WORKERS 3
#define GROUP 2
#define REGIONS 2

bool open_claim[WORKERS + 1];
bool asleep[WORKERS + 1];
bool seated[WORKERS + 1]; /* polls its seat, and looks nowhere else */
byte unclaimed, begun, ended, region;
byte next_seat = WORKERS + 1;

/* Of seats `from` and `from` + 1. */
inline wake_group(from, i, j, woken) {
  i = from;
  woken = 0;
  do
  :: i < from + GROUP && i <= WORKERS ->
     if
     :: seated[i]
     :: atomic { !seated[i] && asleep[i] -> asleep[i] = false; woken = woken + 1 }
     :: atomic {
          !seated[i] && !asleep[i] ->
          j = 1;
          do
          :: j <= WORKERS && !asleep[j] -> j++
          :: else -> break
          od;
          if
          :: j <= WORKERS -> asleep[j] = false; woken = woken + 1
          :: else
          fi
        }
     fi;
     i++
  :: else -> break
  od
}

inline go_on(from, i, j, woken) {
  do
  :: atomic { from = next_seat; next_seat = (next_seat <= WORKERS -> next_seat + GROUP : next_seat) }
     if
     :: from > WORKERS -> break
     :: else
     fi;
     wake_group(from, i, j, woken);
#ifdef STOPS_AWAKE
     break
#else
     if
     :: woken != 0 -> break
     :: else
     fi
#endif
  od;
  from = 0; i = 0; j = 0; woken = 0
}

proctype worker(byte me) {
  byte from, i, j, woken, number;
end:
  do
  :: if
     :: seated[me] ->
end_seated:
        if
        :: atomic {
             open_claim[me] ->
             open_claim[me] = false;
             unclaimed--;
             begun++;
             seated[me] = false
           }
           begun == WORKERS;
           ended++
        :: atomic { !open_claim[me] -> seated[me] = false }
        fi
     :: !seated[me] && unclaimed == 0 -> seated[me] = true
     :: !seated[me] && unclaimed != 0 ->
#ifndef ONE_GROUP
        go_on(from, i, j, woken);
#endif
        atomic {
          number = 1;
          if
          :: open_claim[me] -> number = me
          :: else ->
             do
             :: number <= WORKERS && !open_claim[number] -> number++
             :: else -> break
             od
          fi;
          if
          :: number <= WORKERS -> open_claim[number] = false; unclaimed--; begun++
          :: else
          fi
        }
        if
        :: number <= WORKERS -> begun == WORKERS; ended++
        :: else
        fi;
        number = 0
     :: !seated[me] && unclaimed == 0 ->
        asleep[me] = true;
#ifndef NO_SECOND_LOOK
        if
        :: unclaimed != 0 -> asleep[me] = false
        :: else
        fi;
#endif
end_asleep:
        !asleep[me]
     fi
  od
}

active proctype encountering() {
  byte from, i, j, woken;
  do
  :: region < REGIONS ->
     region++;
     atomic { begun = 0; ended = 0 }
#ifdef ROUND_FIRST
     next_seat = 1;
     go_on(from, i, j, woken);
#endif
     atomic {
       unclaimed = WORKERS;
       i = 1;
       do
       :: i <= WORKERS -> open_claim[i] = true; i++
       :: else -> break
       od;
       i = 0
     }
#ifndef ROUND_FIRST
     next_seat = 1;
     go_on(from, i, j, woken);
#endif
     ended == WORKERS
  :: else -> break
  od
}

init {
  atomic { run worker(1); run worker(2); run worker(3) }
  timeout;
  assert(region == REGIONS && ended == WORKERS && unclaimed == 0)
}
