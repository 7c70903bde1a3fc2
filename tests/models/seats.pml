// SPDX-License-Identifier: Apache-2.0
/* Leaving and taking a seat against publication: src/sched/announce.cpp (set_seated, leave_seat,
 * take_seat), sleep in src/sched/idle.cpp, publish_members in src/omp/region/publish.cpp.
 * Two regions with one member at the seat, which may suspend and goes on from the seat. The publisher spins until it has run, so somebody else has
 * to: the seat's worker if the publisher relied on it, or a worker that sees the bubble announced.
 * variant FALLBACK: without membarrier
 * variant RESERVED: the member is reserved for a worker that polls (src/sync/claim_range.h)
 * mutant NO_HEAVY_FENCE: leave_seat looks at the claims without it
 * mutant NO_FENCE_SEATED: set_seated without its heavy fence
 * mutant NO_HOT_FENCE: FALLBACK, and leave_seat looks at `seated` without the hot fence
 * mutant SLEEPS_AT_SEAT: sleep does not look at the seat that it left
 * mutant STAYS_FOR_OTHERS: what does not belong to the seat is run from there too
 * mutant STAYS_RESERVED: RESERVED, and what an absent worker does not take is not opened */
#ifdef STAYS_RESERVED
#define RESERVED
#endif
#ifdef NO_HOT_FENCE
#define FALLBACK
#endif
#define THREADS 2 /* 0: publisher, 1: the seat's worker */
#define VARIABLES 4
#define SEATED 0
#define SEAT 1    /* what the worker polls: this seat, or none */
#define CLAIMS 2
#define MARK 3    /* what the worker took without an exchange */
#include "store_buffers.pml"

/* Claims of a region; 0: none left. Who claims reads either the word or, reserved, its mark too. */
#define RESERVED_IN(region) (3 * (region) + 1)
#define RECALLED_IN(region) (3 * (region) + 2)
#define OPEN_IN(region) (3 * (region) + 3)
#define is_open(word) ((word) != 0 && (word) % 3 == 0)
#define reserved_form(word) ((word) - ((word) + 2) % 3)
#define left_in(word, mark) (is_open(word) || ((word) != 0 && (mark) != reserved_form(word)))

bool announced; /* under the runqueue's lock; who looks there finds it */
byte ran;
bool suspended; /* the member, which its worker took: the region in force cannot end */

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

inline open_reserved(t) {
  load(t, CLAIMS, word);
  load(t, MARK, seen);
  if
  :: is_open(word) || word == 0 || seen == word
  :: else ->
     store(t, CLAIMS, word + 1);
     heavy_fence(t, i);
     load(t, MARK, seen);
     if
     :: seen == word
     :: else ->
        atomic {
          empty(buffer[t]);
          if
          :: memory[CLAIMS] == word + 1 -> memory[CLAIMS] = word + 2
          :: else
          fi
        }
     fi
  fi;
  word = 0;
  seen = 0
}

proctype publisher(byte me) {
  byte seen, i, attended, region, word;
  do
  :: region < 2 ->
     region++;
     attended = 0;
     if
     :: set_seated(me, 0)
     :: set_seated(me, 1)
     fi;
#ifdef RESERVED
     load(me, SEAT, attended);
     load(me, SEATED, seen);
#endif
     if
     :: attended && seen -> store(me, CLAIMS, RESERVED_IN(region))
     :: else -> store(me, CLAIMS, OPEN_IN(region))
     fi;
     hot_fence(me);
     load(me, SEAT, attended);
#if defined(RESERVED) && !defined(STAYS_RESERVED)
     if
     :: attended
     :: else -> open_reserved(me)
     fi;
#endif
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

inline change(t, from, to) {
  atomic {
    empty(buffer[t]);
    if
    :: memory[CLAIMS] == (from) -> memory[CLAIMS] = to; got = 1
    :: else -> got = 0
    fi
  }
}

inline claim(t) {
  load(t, CLAIMS, word);
  if
  :: is_open(word) -> change(t, word, 0)
  :: word != 0 && !is_open(word) && seen_by(t, MARK) != reserved_form(word) ->
     word = reserved_form(word);
     store(t, MARK, word);
     hot_fence(t);
     load(t, CLAIMS, seen);
     if
     :: seen == word -> got = 1
     :: else ->
        change(t, word + 1, 0);
        if
        :: got
        :: else -> store(t, MARK, 0)
        fi
     fi;
     seen = 0
  :: else
  fi;
  if
  :: got -> if
            :: ran++
            :: suspended = true
            fi;
            got = 0
  :: else
  fi;
  word = 0
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
     :: left_in(seen, seen_by(t, MARK)) -> store(t, SEAT, 1); gone = 0
     :: else
     fi
  :: else
  fi;
  seen = 0
}

proctype worker(byte me) {
  byte seen, i, got, gone, word;
at_seat:
end_at_seat:
  do
  :: left_in(memory[CLAIMS], seen_by(me, MARK)) -> claim(me) /* and take_seat, which finds the seat taken */
  :: suspended -> suspended = false; ran++ /* and leaves the seat not */
  :: ran < 2 && !suspended -> /* an entity waits that spins for ever */
#ifdef STAYS_FOR_OTHERS
     gone = 1;
#else
     leave_seat(me);
#endif
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
     :: left_in(seen, seen_by(me, MARK))
     :: else ->
end_asleep:
        if
        :: announced
        :: suspended
        fi
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
  :: atomic { announced && is_open(memory[CLAIMS]) -> memory[CLAIMS] = 0; ran++ }
  od
}

init {
  atomic { memory[SEAT] = 1; run publisher(0); run worker(1); run other_worker() }
  timeout;
  assert(ran == 2)
}
