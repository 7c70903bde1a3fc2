// SPDX-License-Identifier: Apache-2.0
/* Regions that leaders publish: src/omp/region/publish.cpp (publish_below, publish_as_leader, count_below), call_unclaimed
 * and report_finished in src/omp/region/parallel.cpp, claims of src/sync/claim_range.h. Two regions of three: the
 * encountering thread, which publishes the leader's seat; the leader, whose claimer publishes the other's; and the other.
 * Workers leave their seats as they like; in MEETS whoever sees the region announced takes what is open. Each member runs once in
 * each region, and the join returns when both have. (Of the order of stores and loads: seats.pml and reserved.pml.)
 * variant MEETS: the encountering thread waits inside of the region until both have run, and another worker comes
 * mutant PLAIN_RECALL: two that open one seat recall it by a store
 * mutant PUBLISHES_FIRST: the leader's worker publishes before it has claimed
 * mutant JOIN_PUBLISHES_NOT: what the join calls of a leader's publishes nothing
 * mutant NOT_ANNOUNCED: MEETS, and a leader says nothing of a seat that it finds left
 * mutant COUNTS_ALONE: each end goes to the join, which looks at the leader's count for the whole cluster */
#ifdef NOT_ANNOUNCED
#define MEETS
#endif
#define REGIONS 2
#define LEADER 1
#define OTHER 2
/* A seat's word: {region, state}. */
#define RESERVED 0
#define RECALLED 1
#define OPEN 2
#define GONE 3
#define word_of(region, state) (4 * (region) + (state))
#define state_of(word) ((word) % 4)
#define region_of(word) ((word) / 4)

byte word[3], mark[3]; /* what the owner took without an exchange */
bool at_seat[3];
byte ran[3];
byte region;           /* in force */
byte ended, finished;  /* at the leader: its cluster's; what the join looks at, in members */
bool announced, over;

/* One that the publisher has stored, or comes after. */
inline open_reserved(seat) {
  seen = word[seat];
  if
  :: seen != 0 && state_of(seen) == RESERVED && mark[seat] != region_of(seen) ->
#ifdef PLAIN_RECALL
     word[seat] = seen + RECALLED;
     got = true;
#else
     atomic {
       got = (word[seat] == seen);
       if
       :: got -> word[seat] = seen + RECALLED
       :: else
       fi
     };
#endif
     if
     :: got && mark[seat] != region_of(seen) ->
        atomic {
          if
          :: word[seat] == seen + RECALLED -> word[seat] = seen + OPEN
          :: else
          fi
        }
     :: else
     fi;
     got = false
  :: else
  fi;
  seen = 0
}

inline publish(seat) {
  if
  :: at_seat[seat] -> word[seat] = word_of(region, RESERVED)
  :: word[seat] = word_of(region, OPEN)
  fi;
  if
  :: at_seat[seat]
  :: else ->
     open_reserved(seat);
#ifdef NOT_ANNOUNCED
     if
     :: seat == LEADER -> announced = true
     :: else
     fi
#else
     announced = true
#endif
  fi
}

inline claim_open(seat) {
  atomic {
    got = (word[seat] == word_of(region, OPEN));
    if
    :: got -> word[seat] = word_of(region, GONE)
    :: else
    fi
  }
}

inline claim_own(seat) {
  seen = word[seat];
  if
  :: seen != 0 && state_of(seen) == OPEN -> claim_open(seat)
  :: seen != 0 && state_of(seen) <= RECALLED && mark[seat] != region_of(seen) ->
     mark[seat] = region_of(seen);
     if
     :: word[seat] == word_of(region_of(seen), RESERVED) -> got = true
     :: else ->
        atomic {
          got = (word[seat] == word_of(region_of(seen), RECALLED));
          if
          :: got -> word[seat] = word_of(region_of(seen), GONE)
          :: else -> mark[seat] = 0
          fi
        }
     fi
  :: else
  fi;
  seen = 0
}

inline end_member() {
#ifdef COUNTS_ALONE
  finished++;
#else
  atomic { ended++; last = (ended % 2 == 0) };
  if
  :: last -> finished = finished + 2
  :: else
  fi;
  last = false
#endif
}

inline run_member(seat) {
#ifndef PUBLISHES_FIRST
  if
  :: seat == LEADER -> publish(OTHER)
  :: else
  fi;
#endif
  atomic { ran[seat]++; assert(ran[seat] == region) };
  end_member()
}

#ifdef COUNTS_ALONE
#define cluster_has_ended (finished >= 2 * region - 1)
#else
#define cluster_has_ended (finished == 2 * region)
#endif

active proctype encountering_thread() {
  byte seen, seat;
  bool got, last;
  do
  :: region < REGIONS ->
     region++;
     publish(LEADER);
#ifdef MEETS
     (ran[LEADER] == region && ran[OTHER] == region);
#endif
     seat = LEADER;
     do
     :: cluster_has_ended -> break
     :: seat <= OTHER -> /* it has waited for long enough */
        open_reserved(seat);
        claim_open(seat);
        if
        :: got ->
           got = false;
#ifdef JOIN_PUBLISHES_NOT
           atomic { ran[seat]++; assert(ran[seat] == region) };
           end_member()
#else
           run_member(seat)
#endif
        :: else
        fi;
        seat++
#ifndef MEETS
     :: seat > OTHER && announced && (word[LEADER] == word_of(region, OPEN) || word[OTHER] == word_of(region, OPEN)) ->
        seat = LEADER /* the loop of the worker on which it waits */
#endif
     od;
     assert(ran[LEADER] == region && ran[OTHER] == region);
     announced = false
  :: else -> break
  od;
  over = true
}

proctype worker(byte me) {
  byte seen;
  bool got, last;
  do
  :: word[me] != 0 && at_seat[me] && state_of(word[me]) != GONE && mark[me] != region_of(word[me]) ->
#ifdef PUBLISHES_FIRST
     if
     :: me == LEADER -> publish(OTHER)
     :: else
     fi;
#endif
     claim_own(me);
     if
     :: got -> got = false; run_member(me)
     :: else
     fi
  :: at_seat[me] -> /* it leaves, and comes back if it is needed there (leave_seat) */
     at_seat[me] = false;
     seen = word[me];
     if
     :: seen != 0 && state_of(seen) != GONE && mark[me] != region_of(seen) -> at_seat[me] = true
     :: else -> break
     fi
  :: over -> break
  od
}

#ifdef MEETS
/* It finds what is announced, whichever seat it is at. */
proctype other_worker() {
  byte seen;
  bool got, last;
end:
  do
  :: announced && word[LEADER] == word_of(region, OPEN) ->
     claim_open(LEADER);
     if
     :: got -> got = false; run_member(LEADER)
     :: else
     fi
  :: announced && word[OTHER] == word_of(region, OPEN) ->
     claim_open(OTHER);
     if
     :: got -> got = false; run_member(OTHER)
     :: else
     fi
  od
}

#endif

init {
  atomic {
    at_seat[LEADER] = true;
    at_seat[OTHER] = true;
    run worker(LEADER);
    run worker(OTHER);
#ifdef MEETS
    run other_worker()
#endif
  }
  timeout;
  assert(over)
}
