// SPDX-License-Identifier: Apache-2.0
/* A large flat team's barrier: meet_at_tree in src/omp/worksharing/barrier.cpp, MeetingTree in src/omp/thread/meeting_tree.h.
 * Three members: two in one cluster, whose leader is member 0, and one in another. Each member arrives, perhaps does its
 * leader's part while it polls, sleeps, and does the whole tree's work before that; where there are two, each may make a
 * task before it arrives. All get on, nobody leaves before all have come, and all agree whether the flags decide or the counter.
 * variant FALLBACK: without membarrier
 * variant TWICE: two members in two clusters, two barriers
 * variant POLLS: the members of a cluster of two in all poll for ever, and their leader alone tells them
 * variant WEAK: read-modify-writes are no fences (store_buffers.pml)
 * variant WEAK_TWICE: both
 * mutant NO_HEAVY_FENCE: who sleeps looks at the tree without it
 * mutant NO_FULL_FENCE: who finds sleepers looks at the tree without another fence
 * mutant NO_FENCE_RAISED: who raises a word looks at the others without a fence
 * mutant LOOKS_ONCE: who raises a word does not look at the sleepers
 * mutant KEEPS_TO_ITSELF: who sees that all have come, having raised a word, wakes nobody
 * mutant MARKS_LATE: POLLS, and a member marks its task after it has raised its flag
 * mutant NEVER_TELLS: POLLS, and the leader does not tell its cluster
 * mutant WEAK_NO_HEAVY_FENCE: who sleeps looks as if to enlist were a fence */
#ifdef NEVER_TELLS
#define POLLS
#endif
#ifdef MARKS_LATE
#define POLLS
#endif
#ifdef WEAK_TWICE
#define WEAK
#define TWICE
#endif
#ifdef WEAK_NO_HEAVY_FENCE
#define WEAK
#define NO_HEAVY_FENCE
#endif
#ifdef TWICE
#define MEMBERS 2
#define BARRIERS 2
#define cluster_of(member) (member)
#define first_of(cluster) (cluster)
#define CLUSTERS 2
#else
#ifdef POLLS
#define MEMBERS 2
#define BARRIERS 2
#define cluster_of(member) 0
#define first_of(cluster) ((cluster) * 2)
#define CLUSTERS 1
#else
#define MEMBERS 3
#define BARRIERS 1
#define cluster_of(member) ((member) / 2)
#define first_of(cluster) ((cluster) == 2 -> 3 : (cluster) * 2)
#define CLUSTERS 2
#endif
#endif
#define THREADS MEMBERS
#define VARIABLES 9
#define SLEEPERS 0 /* a set: it is only ever taken whole */
#define MARK 1     /* used_before */
#define FLAG 2     /* to 4 */
#define UP 5       /* and 6: of a cluster */
#define DOWN 7     /* and 8 */
#include "store_buffers.pml"

#define FLAGS_DECIDE 1
#define COUNTER_DECIDES 2
bool ready[MEMBERS];
byte verdict[BARRIERS + 1], came[BARRIERS + 1], counted[BARRIERS + 1], passed;

/* All of the variables from `from` to `end` - 1 have reached the barrier. */
inline all_reached(t, from, end) {
  done = 1;
  i = from;
  do
  :: i < (end) ->
     load(t, i, seen);
     done = (done && seen >= barrier);
     i++
  :: else -> break
  od;
  i = 0; seen = 0
}

inline wake_all(t) {
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
    i = 0; seen = 0
  }
}

inline tell(t) {
#ifndef NEVER_TELLS
  store(t, DOWN + cluster_of(t), barrier)
#else
  skip
#endif
}

/* all_are_here: the whole tree; wakes those who sleep if all have come. */
inline whole(t) {
  raised = 0;
  load(t, UP + cluster_of(t), seen);
  if
  :: seen < barrier ->
     all_reached(t, FLAG + first_of(cluster_of(t)), FLAG + first_of(cluster_of(t) + 1));
     if
     :: done ->
        store(t, UP + cluster_of(t), barrier);
#ifndef NO_FENCE_RAISED
        full_fence(t);
#endif
        raised = 1
     :: else
     fi
  :: else -> done = 1
  fi;
  seen = 0;
  if
  :: done -> all_reached(t, UP, UP + CLUSTERS)
  :: else
  fi;
  if
  :: done ->
     tell(t);
#ifndef KEEPS_TO_ITSELF
     load(t, SLEEPERS, seen);
     if
     :: seen -> wake_all(t)
     :: else
     fi;
     seen = 0
#endif
  :: else
  fi;
  raised = 0
}

inline note_stored(t) {
  hot_fence(t);
  load(t, SLEEPERS, seen);
  if
  :: seen ->
     seen = 0;
#ifndef NO_FULL_FENCE
     full_fence(t);
#endif
     whole(t)
  :: else
  fi;
  done = 0
}

/* advance: a leader's part, once; a member's is to look at its cluster's word. */
inline own_part(t) {
  if
  :: first_of(cluster_of(t)) == t ->
     load(t, UP + cluster_of(t), seen);
     if
     :: seen < barrier ->
        all_reached(t, FLAG + first_of(cluster_of(t)), FLAG + first_of(cluster_of(t) + 1));
        if
        :: done ->
           store(t, UP + cluster_of(t), barrier);
#ifndef LOOKS_ONCE
           note_stored(t);
#endif
           done = 1
        :: else
        fi
     :: else -> done = 1
     fi;
     seen = 0;
     if
     :: done -> all_reached(t, UP, UP + CLUSTERS)
     :: else
     fi;
     if
     :: done -> tell(t)
     :: else
     fi
  :: else ->
     load(t, DOWN + cluster_of(t), seen);
     done = (seen >= barrier);
     seen = 0
  fi
}

inline used(t) {
  if
  :: !done -> load(t, MARK, seen); done = (seen == barrier); seen = 0
  :: else
  fi
}

inline sleep(t) {
  update(t, SLEEPERS, seen | (1 << t), seen);
  seen = 0;
#ifndef NO_HEAVY_FENCE
  heavy_fence(t, i);
#endif
  whole(t);
  used(t);
  if
  :: done -> wake_all(t)
  :: else
  fi;
  atomic { ready[t]; ready[t] = false }
}

inline meet(decided) {
  load(me, MARK, seen);
  decided = (seen == barrier -> COUNTER_DECIDES : FLAGS_DECIDE);
  seen = 0;
  atomic {
    assert(verdict[barrier] == 0 || verdict[barrier] == decided);
    verdict[barrier] = decided
  }
  if
  :: decided == COUNTER_DECIDES -> counted[barrier]++; counted[barrier] == MEMBERS
  :: else
  fi;
  assert(came[barrier] == MEMBERS)
}

inline make_task() {
  if
#if BARRIERS == 2
  :: barrier == BARRIERS -> store(me, MARK, barrier)
#endif
  :: true
  fi
}

proctype member(byte me) {
  byte barrier, seen, i, done, decided, raised;
  do
  :: barrier < BARRIERS ->
     barrier++;
#ifndef MARKS_LATE
     make_task();
#endif
     came[barrier]++;
     store(me, FLAG + me, barrier);
#ifdef MARKS_LATE
     make_task();
#endif
     note_stored(me);
     do
     :: own_part(me); /* polls; whatever it sees next it looks at again */
        used(me);
        if
        :: done -> break
        :: else
        fi;
#ifdef POLLS
        if
        :: seen_by(me, DOWN) >= barrier || seen_by(me, MARK) == barrier || (me == 0 && seen_by(me, FLAG + 1) >= barrier)
        fi
#else
        whole(me);
        used(me);
        if
        :: done -> break
        :: else
        fi;
        sleep(me);
        whole(me);
        used(me);
        if
        :: done -> break
        :: else
        fi
#endif
     od;
     done = 0;
     meet(decided);
     decided = 0
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
