// SPDX-License-Identifier: Apache-2.0
/* A number reserved for its owner: src/sync/claim_range.h (reserve, claim_reserved, open_reserved), as
 * publish, call_claimed and take_back use it.
 * Regions of one member each; generations wrap after two. The owner takes the member without an exchange;
 * the publisher may open it to all at any time, and then takes it itself if nobody else does. Each member
 * runs once, with the region's data.
 * variant FALLBACK: without membarrier
 * mutant NO_HEAVY_FENCE: the publisher looks at the mark without it
 * mutant NO_HOT_FENCE: FALLBACK, and the owner looks a second time without the hot fence
 * mutant NO_SECOND_LOOK: the owner does not look a second time
 * mutant IGNORES_MARK: the publisher does not look at the mark after the fence
 * mutant OPENS_AT_ONCE: the number is open to all before the fence
 * mutant STALE_MARK: the owner's mark stays when it got nothing
 * mutant SAME_WORD: what the owner took a round of generations ago is not looked at */
#ifdef NO_HOT_FENCE
#define FALLBACK
#endif
#define THREADS 3 /* 0: publisher, 1: owner, 2: thief */
#define VARIABLES 3
#define WORD 0
#define MARK 1
#define DATA 2
#include "store_buffers.pml"

#define REGIONS 4
/* Words of a generation; 0: nothing left. */
#define RESERVED(g) (1 + 3 * (g))
#define RECALLED(g) (2 + 3 * (g))
#define OPEN(g) (3 + 3 * (g))
#define generation_of(word) (((word) - 1) / 3)
#define is_open(word) ((word) != 0 && (word) % 3 == 0)
#define is_recalled(word) ((word) % 3 == 2)

byte region, ran;

inline change(t, from, to, success) {
  atomic {
    empty(buffer[t]);
    success = (memory[WORD] == (from));
    if
    :: success -> memory[WORD] = to
    :: else
    fi
  }
}

inline run_member(t) {
  load(t, DATA, seen);
  atomic { assert(region == ran + 1 && seen == region); ran++; seen = 0 }
}

inline open_reserved(t) {
  load(t, MARK, seen);
  if
  :: seen == RESERVED(g)
  :: else ->
#ifdef OPENS_AT_ONCE
     store(t, WORD, OPEN(g));
#else
     store(t, WORD, RECALLED(g));
#endif
#ifndef NO_HEAVY_FENCE
     heavy_fence(t, i);
#endif
     load(t, MARK, seen);
     if
#ifndef IGNORES_MARK
     :: seen == RESERVED(g)
#endif
     :: else -> change(t, RECALLED(g), OPEN(g), success)
     fi
  fi;
  seen = 0
}

proctype publisher(byte me) {
  byte seen, i, g;
  bool success, opened;
  do
  :: region < REGIONS ->
     region++;
     g = region % 2;
     store(me, DATA, region);
     if
#ifndef SAME_WORD
     :: opened -> load(me, MARK, seen)
#endif
     :: else
     fi;
     if
     :: seen == RESERVED(g) -> store(me, WORD, OPEN(g))
     :: else -> store(me, WORD, RESERVED(g)); opened = 0
     fi;
     seen = 0;
     if
     :: skip
     :: true ->
        if
        :: opened
        :: else -> open_reserved(me); opened = success
        fi;
        change(me, OPEN(g), 0, success);
        if
        :: success -> run_member(me)
        :: else
        fi;
        success = 0
     fi;
     ran == region
  :: else -> break
  od
}

inline claim_reserved(t) {
  store(t, MARK, RESERVED(g));
#ifndef NO_HOT_FENCE
  hot_fence(t);
#endif
#ifdef NO_SECOND_LOOK
  word = RESERVED(g);
#else
  load(t, WORD, word);
#endif
  if
  :: word == RESERVED(g) -> success = 1
  :: else -> change(t, RECALLED(g), 0, success)
  fi;
  if
  :: success -> run_member(t)
#ifndef STALE_MARK
  :: else -> store(t, MARK, 0)
#else
  :: else
#endif
  fi;
  success = 0
}

/* As late as it likes between any two looks. */
proctype owner(byte me) {
  byte seen, word, g;
  bool success;
end:
  do
  :: atomic {
       memory[WORD] != 0 && (is_open(memory[WORD]) || seen_by(me, MARK) != RESERVED(generation_of(memory[WORD])))
       -> word = memory[WORD]; g = generation_of(word)
     }
     if
     :: is_open(word) ->
        change(me, word, 0, success);
        if
        :: success -> run_member(me)
        :: else
        fi;
        success = 0
     :: else -> claim_reserved(me)
     fi;
     word = 0; g = 0
  od
}

proctype thief(byte me) {
  byte seen, word;
  bool success;
end:
  do
  :: atomic { is_open(memory[WORD]) -> word = memory[WORD] }
     change(me, word, 0, success);
     if
     :: success -> run_member(me)
     :: else
     fi;
     success = 0; word = 0
  od
}

init {
  atomic { run publisher(0); run owner(1); run thief(2) }
  timeout;
  assert(ran == REGIONS)
}
