// SPDX-License-Identifier: Apache-2.0
/* A reduction of a large team: MeetingTree::reduce in src/omp/thread/meeting_tree.h, src/omp/worksharing/combine.cpp. Four
 * members in two clusters of two, whose leaders are 0 and 2. Members 1 and 3 offer to their leaders, member 2 to member 0, and
 * each waits until its data were taken, and leaves; each may sleep wherever it waits. The first has them all in the end, each
 * once, and nobody's data are looked at after it has left.
 * variant FALLBACK: without membarrier
 * variant TWICE: three members, two reductions
 * variant WEAK: three members, and read-modify-writes are no fences (store_buffers.pml)
 * mutant NO_HEAVY_FENCE: who sleeps looks at the words without it
 * mutant LOOKS_NOT: who has stored a word does not look at the sleepers
 * mutant LEAVES_EARLY: who has offered does not wait until that was taken
 * mutant SAYS_FIRST: a leader says that it has taken what it takes afterwards
 * mutant COUNTS_ALONE: TWICE, and a leader takes what was offered for an earlier reduction
 * mutant WEAK_NO_HEAVY_FENCE: who sleeps looks as if to enlist were a fence */
#ifdef COUNTS_ALONE
#define TWICE
#endif
#ifdef WEAK_NO_HEAVY_FENCE
#define WEAK
#define NO_HEAVY_FENCE
#endif
#ifdef TWICE
#define MEMBERS 3
#define REDUCTIONS 2
#else
#ifdef WEAK
#define MEMBERS 3
#else
#define MEMBERS 4
#endif
#define REDUCTIONS 1
#endif
#define THREADS MEMBERS
#define VARIABLES 8
#define SLEEPERS 0   /* a set: it is only ever taken whole */
#define OFFERED 0    /* OFFERED + member, of 1 to 3: its flag, or its part's word */
#define TAKEN 4      /* TAKEN + cluster: what its members wait for */
#define GO 6         /* what member 2 waits for */
#include "store_buffers.pml"

bool ready[MEMBERS];
bool inside[MEMBERS];  /* its data stand */
byte data[MEMBERS];    /* how many members' they are */
byte passed;

inline wake_all(t) {
  load(t, SLEEPERS, seen);
  if
  :: seen ->
     atomic {
       update(t, SLEEPERS, 0, seen);
       do
       :: i < MEMBERS ->
          if
          :: seen & (1 << i) -> assert(!ready[i]); ready[i] = true
          :: else
          fi;
          i++
       :: else -> break
       od;
       i = 0
     }
  :: else
  fi;
  seen = 0
}

inline raised(t) {
#ifdef LOOKS_NOT
  skip
#else
  hot_fence(t);
  wake_all(t)
#endif
}

#ifdef COUNTS_ALONE
#define is_there(seen) (seen > 0)
#else
#define is_there(seen) (seen >= number)
#endif

/* Until the word tells of this reduction. */
inline await(t, word) {
  do
  :: load(t, word, seen);
     if
     :: is_there(seen) -> seen = 0; break
     :: else
     fi;
     update(t, SLEEPERS, seen | (1 << t), seen);
     seen = 0;
#ifndef NO_HEAVY_FENCE
     heavy_fence(t, i);
#endif
     load(t, word, seen);
     if
     :: is_there(seen) -> wake_all(t) /* itself too */
     :: else -> seen = 0
     fi;
     atomic { ready[t]; ready[t] = false }
  od
}

inline take(from) {
  atomic {
    assert(inside[from]);
    data[me] = data[me] + data[from];
    data[from] = 0
  }
}

inline say(t, word) {
  store(t, word, number);
  raised(t)
}

inline offer(t, taken) {
  store(t, OFFERED + t, number);
  raised(t);
#ifndef LEAVES_EARLY
  await(t, taken)
#endif
}

proctype member(byte me) {
  byte number, seen, i;
  do
  :: number < REDUCTIONS ->
     number++;
     atomic { inside[me] = true; data[me] = 1 };
     if
     :: me % 2 == 1 -> offer(me, TAKEN + me / 2)
     :: else ->
        if
        :: me + 1 < MEMBERS ->
           await(me, OFFERED + me + 1);
#ifdef SAYS_FIRST
           say(me, TAKEN + me / 2);
           take(me + 1)
#else
           take(me + 1);
           say(me, TAKEN + me / 2)
#endif
        :: else
        fi;
        if
        :: me == 2 -> offer(me, GO)
        :: else ->
           await(me, OFFERED + 2);
           take(2);
           say(me, GO);
           assert(data[0] == MEMBERS)
        fi
     fi;
     inside[me] = false
  :: else -> break
  od;
  passed++
}

init {
  byte n;
  atomic {
    do
    :: n < MEMBERS -> run member(n); n++
    :: else -> break
    od
  }
  timeout;
  assert(passed == MEMBERS)
}
