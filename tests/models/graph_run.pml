// SPDX-License-Identifier: Apache-2.0
/* A pass through a repeated graph is stopped while one of its tasks ends: src/omp/task/graph_run.h. A later task
 * follows the one through a node, which is closed once, or is not made to follow it, for it is complete.
 * variant FALLBACK: without membarrier
 * mutant NO_HEAVY_FENCE: who stops looks without it
 * mutant NO_HOT_FENCE: who completes the task looks without it, where the kernel has no membarrier
 * mutant LOOKS_FIRST: who completes the task looks whether the pass was stopped before it says so
 * mutant NO_SECOND_LOOK: who stops does not look once more under the lock */
#ifdef NO_HOT_FENCE
#define FALLBACK
#endif
#define THREADS 2
#define VARIABLES 4
#define COMPLETE 0
#define STOPPED 1
#define LOCK 2
#define NODE 3
#include "store_buffers.pml"

byte closed, ended;
bool follows;

proctype creator(byte me) {
  byte seen, i;
  store(me, STOPPED, 1);
#ifndef NO_HEAVY_FENCE
  heavy_fence(me, i);
#endif
  load(me, COMPLETE, seen);
  if
  :: seen
  :: else ->
     follows = true;
     lock(me, LOCK);
     load(me, COMPLETE, seen);
#ifdef NO_SECOND_LOOK
     seen = 0;
#endif
     if
     :: seen -> closed++
     :: else -> store(me, NODE, 1)
     fi;
     unlock(me, LOCK)
  fi;
  ended++
}

proctype completer(byte me) {
  byte stopped, node;
#ifdef LOOKS_FIRST
  load(me, STOPPED, stopped);
  store(me, COMPLETE, 1);
#else
  store(me, COMPLETE, 1);
#ifndef NO_HOT_FENCE
  hot_fence(me);
#endif
  load(me, STOPPED, stopped);
#endif
  if
  :: stopped ->
     lock(me, LOCK);
     load(me, NODE, node);
     unlock(me, LOCK);
     if
     :: node -> closed++
     :: else
     fi
  :: else
  fi;
  ended++
}

init {
  atomic { run creator(0); run completer(1) }
  timeout;
  assert(ended == 2);
  assert(closed == (follows -> 1 : 0))
}
