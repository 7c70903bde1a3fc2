// SPDX-License-Identifier: Apache-2.0
/* The work-stealing deque: src/sync/deque.h (push_owner, pop_owner, steal_any), with a ring of two.
 * An owner that pushes three items and pops, two thieves. Each item is taken once.
 * variant WEAK: the exchange of top is no fence (store_buffers.pml)
 * mutant WEAK_NO_FENCE: WEAK and NO_FENCE
 * mutant WEAK_NO_THIEFS_FENCE: a thief reads bottom while its last exchange of top is on the way
 * mutant NO_FENCE: the owner reads top without a full fence after its store of bottom
 * mutant PUBLISHES_FIRST: the owner stores bottom before the item
 * mutant BOTTOM_FIRST: a thief reads bottom before top
 * mutant NO_BOUND: the owner pushes into a full ring */
#ifdef WEAK_NO_FENCE
#define WEAK
#define NO_FENCE
#endif
#ifdef WEAK_NO_THIEFS_FENCE
#define WEAK
#endif
#define THREADS 3 /* 0: owner; 1, 2: thieves */
#define VARIABLES 4
#define BOTTOM 0
#define TOP 1
#define ITEM 2 /* and 3 */
#define CAPACITY 2
#define ITEMS 3
#include "store_buffers.pml"

byte taken[ITEMS + 1];
bool over;

inline take(item) {
  atomic { assert(item > 0 && taken[item] == 0); taken[item] = 1 }
}

inline push_owner() {
#ifndef NO_BOUND
  if
  :: bottom - top_seen >= CAPACITY -> load(me, TOP, top_seen)
  :: else
  fi;
#endif
  if
#ifndef NO_BOUND
  :: bottom - top_seen >= CAPACITY -> made++; take(made) /* it runs the item itself */
#endif
  :: else ->
     made++;
#ifdef PUBLISHES_FIRST
     store(me, BOTTOM, bottom + 1);
     store(me, ITEM + bottom % CAPACITY, made);
#else
     store(me, ITEM + bottom % CAPACITY, made);
     store(me, BOTTOM, bottom + 1);
#endif
     bottom++
  fi
}

inline pop_owner() {
  load(me, TOP, top);
  if
  :: bottom <= top
  :: else ->
     bottom--;
     store(me, BOTTOM, bottom);
#ifndef NO_FENCE
     full_fence(me);
#endif
     load(me, TOP, top);
     top_seen = top;
     if
     :: top < bottom -> load(me, ITEM + bottom % CAPACITY, item); take(item)
     :: top == bottom ->
        load(me, ITEM + bottom % CAPACITY, item);
        compare_exchange(me, top, won);
        if
        :: won -> take(item)
        :: else
        fi;
        bottom++;
        store(me, BOTTOM, bottom)
     :: top > bottom -> bottom++; store(me, BOTTOM, bottom)
     fi;
     item = 0
  fi;
  top = 0
}

#ifdef WEAK
inline compare_exchange(t, expected, success) {
  atomic {
    on_the_way[TOP] == pending[slot(t, TOP)] && nfull(buffer[t]);
    success = (seen_by(t, TOP) == expected);
    if
    :: success -> owner[TOP] = t + 1; store(t, TOP, expected + 1)
    :: else
    fi
  }
}
#else
inline compare_exchange(t, expected, success) {
  atomic {
    empty(buffer[t]);
    success = (memory[TOP] == expected);
    memory[TOP] = memory[TOP] + success
  }
}
#endif

proctype maker(byte me) {
  byte bottom, top, top_seen, item, won, made;
  do
  :: made < ITEMS -> push_owner()
  :: made > 0 -> pop_owner()
  :: made == ITEMS -> break
  od;
  do
  :: load(me, TOP, top);
     if
     :: bottom <= top -> break
     :: else -> pop_owner()
     fi
  od;
  over = true
}

proctype thief(byte me) {
  byte bottom, top, item, won;
  do
  :: !over ->
#ifdef BOTTOM_FIRST
     load(me, BOTTOM, bottom);
     load(me, TOP, top);
#else
     load(me, TOP, top);
#ifndef WEAK_NO_THIEFS_FENCE
     full_fence(me);
#endif
     load(me, BOTTOM, bottom);
#endif
     if
     :: top < bottom ->
        load(me, ITEM + top % CAPACITY, item);
        compare_exchange(me, top, won);
        if
        :: won -> take(item)
        :: else
        fi
     :: else
     fi;
     item = 0; won = 0; top = 0; bottom = 0
  :: over -> break
  od
}

init {
  atomic { run maker(0); run thief(1); run thief(2) }
  timeout;
  assert(taken[1] + taken[2] + taken[3] == ITEMS)
}
