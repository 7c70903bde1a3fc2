// SPDX-License-Identifier: Apache-2.0
/* Threads that a policy has placed (src/sched/placing.cpp): two workers take what stands in their runqueue and open the
 * bubble that they meet there, while the thread that waits for the team takes its own parts wherever they stand. Part 0
 * stands inside the closed bubble, part 1 too or by itself in another runqueue. Each is taken once, and who changes
 * what stands in a runqueue has its lock. A policy that distributes within a part of the machine, here both runqueues, has
 * the locks of all there, from the root down.
 * mutant NO_LOCK: a worker opens and takes without the lock
 * mutant NO_SECOND_LOOK: who takes its own part does not look again under the lock
 * mutant NO_LOCK_BELOW: the policy has the lock of the upper runqueue only */
#define PARTS 2
#define NONE 0
#define MET 1   /* the runqueue where the bubble stands */
#define OTHER 2

byte stands[PARTS];  /* in which runqueue by itself */
bool waits[PARTS];
byte taken[PARTS];   /* in truth */
byte bubble_in;      /* where it stands; NONE: it is open */
bool locked[3];
byte inside[3];      /* in truth: who changes what stands there */

inline lock(queue) { atomic { !locked[queue] -> locked[queue] = true } }
inline unlock(queue) { locked[queue] = false }
inline enter(queue) { inside[queue]++; assert(inside[queue] == 1) }
inline leave(queue) { inside[queue]-- }
inline take(part) {
  assert(waits[part]);
  waits[part] = false;
  stands[part] = NONE;
  taken[part]++;
  assert(taken[part] == 1)
}

inline open() {
  part = 0;
  do
  :: part == PARTS -> break
  :: else ->
     if
     :: waits[part] && stands[part] == NONE -> stands[part] = MET
     :: else
     fi;
     part++
  od;
  bubble_in = NONE
}

proctype worker() {
  byte round, part;
  do
  :: round == 2 -> break
  :: else ->
#ifndef NO_LOCK
     lock(MET);
#endif
     enter(MET);
     if
     :: bubble_in == MET -> open()
     :: else
     fi;
     if
     :: waits[0] && stands[0] == MET -> take(0)
     :: else ->
        if
        :: waits[1] && stands[1] == MET -> take(1)
        :: else
        fi
     fi;
     leave(MET);
#ifndef NO_LOCK
     unlock(MET);
#endif
     round++
  od
}

proctype distribute() {
  byte part, to;
  lock(MET);
#ifndef NO_LOCK_BELOW
  lock(OTHER);
#endif
  enter(MET);
  enter(OTHER);
  do
  :: part == PARTS -> break
  :: else ->
     if
     :: to = MET
     :: to = OTHER
     fi;
     if
     :: waits[part] && (stands[part] != NONE || bubble_in == MET) -> stands[part] = to
     :: else
     fi;
     part++
  od;
  leave(OTHER);
  leave(MET);
#ifndef NO_LOCK_BELOW
  unlock(OTHER);
#endif
  unlock(MET)
}

proctype waiter() {
  byte part, queue;
  do
  :: part == PARTS -> break
  :: else ->
     do
     :: !waits[part] -> break
     :: else ->
        queue = stands[part];
        if
        :: queue == NONE -> queue = bubble_in
        :: else
        fi;
        if
        :: queue == NONE /* its taker has yet to say so, or it opens just now */
        :: else ->
           lock(queue);
           enter(queue);
#ifndef NO_SECOND_LOOK
           if
           :: waits[part] && (stands[part] == queue || (stands[part] == NONE && bubble_in == queue)) -> take(part)
           :: else
           fi;
#else
           take(part);
#endif
           leave(queue);
           unlock(queue)
        fi
     od;
     part++
  od
}

init {
  atomic {
    waits[0] = true;
    waits[1] = true;
    bubble_in = MET;
    if
    :: stands[1] = NONE
    :: stands[1] = OTHER
    fi;
    run worker();
    run worker();
    run distribute();
    run waiter();
    _nr_pr == 1;
    assert(taken[0] == 1 && taken[1] == 1)
  }
}
