// SPDX-License-Identifier: Apache-2.0
/* Hand-over of a runqueue: hand_over in src/sched/monitor.cpp, take_all in src/sched/runqueue.cpp,
 * claim_for and enqueue in src/sched/suspend.cpp, wait_in_place there.
 * Worker 0 is stuck, and comes back or not; in its queue is an entity with a ULT that is pinned to it,
 * and a second one that becomes ready at any time. The monitor hands the queue over to worker 1 whenever
 * worker 0 is stuck. A ULT goes on where it is pinned to, its entity at one place, and both end; one that
 * waits in place (its context is not saved) goes on at worker 0 alone.
 * mutant COPIES: the monitor leaves the entity in the old queue too
 * mutant PUSHES_FIRST: the monitor pins the ULT anew once the entity stands in the new queue
 * mutant MOVES_UNSAVED: the monitor moves a ULT that waits in place
 * mutant PINS_ONE: the monitor pins the first of the ULTs that are ready, and not the others, and a
 * worker runs what it pops without a look at where it is pinned to */
chan queue0 = [3] of { bit };
chan queue1 = [3] of { bit };
bool stuck = true, scheduled = true;
byte mailbox, ready = 1;  /* sets of ULTs; ready: W: holder */
byte pinned[2];
bool gone[2];             /* it runs on or has ended: its record is no more */
bool in_place;            /* ULT 0: no context */
bool both = true;         /* ULTs are ready from the beginning */
byte running, ended;

inline first_ready(u) {
  if
  :: ready == 0 -> atomic { ready = mailbox; mailbox = 0 }
  :: else
  fi;
  assert(ready != 0);
  u = (ready & 1 -> 0 : 1)
}

inline enqueue(u) {
  first_ready(u);
  assert(!gone[u]);
  if
  :: pinned[u] == 0 -> queue0!1
  :: else -> queue1!1
  fi;
  u = 0
}

/* Worker `me` has popped the entity. */
inline go_on(me) {
  first_ready(u);
  if
#ifndef PINS_ONE
  :: pinned[u] != me -> enqueue(u)
#endif
  :: else ->
     ready = ready & (255 - (1 << u));
     atomic {
       assert(running == 0 && pinned[u] == me && !gone[u]);
       assert(u == 1 || !in_place || me == 0);
       running++;
       gone[u] = true
     }
     atomic { running--; ended++ }
     u = 0;
     if /* release */
     :: ready != 0 -> enqueue(u)
     :: else ->
        if
        :: atomic { mailbox == 0 -> scheduled = false }
        :: atomic { mailbox != 0 -> skip } enqueue(u)
        fi
     fi
  fi;
  u = 0
}

active proctype worker_0() {
  byte u;
end:
  do
  :: !stuck && nempty(queue0) -> /* pop_owner, under the lock */
     if
     :: atomic { nempty(queue0) -> queue0?1 } go_on(0)
     :: empty(queue0)
     fi
  :: atomic { stuck && (in_place || ended == 0) -> stuck = false }
  :: atomic { !stuck && ended == 0 -> stuck = true }
  od
}

active proctype worker_1() {
  byte u;
end:
  do
  :: queue1?1 -> go_on(1)
  od
}

active proctype waker() {
  byte u;
  bool was;
end:
  !both;
  atomic { was = scheduled; scheduled = true; mailbox = mailbox | 2 }
  if
  :: !was -> enqueue(u)
  :: else
  fi
}

active proctype monitor() {
  byte u;
end:
  do
  :: stuck && nempty(queue0) -> /* or just came back */
     if
#ifdef COPIES
     :: nempty(queue0) ->
#else
     :: atomic { nempty(queue0) -> queue0?1 }
#endif
        first_ready(u);
        if
#ifndef MOVES_UNSAVED
        :: in_place && (ready & 1) -> queue0!1
#endif
        :: else ->
#ifdef PUSHES_FIRST
           queue1!1;
           assert(!gone[u]);
           pinned[u] = 1
#else
           if
           :: ready & 1 -> assert(!gone[0]); pinned[0] = 1
           :: else
           fi;
           if
#ifndef PINS_ONE
           :: ready & 2 -> assert(!gone[1]); pinned[1] = 1
#endif
           :: else
           fi;
           queue1!1
#endif
        fi;
        u = 0
     :: empty(queue0)
     fi
  od
}

init {
  atomic {
    if
    :: in_place = true
    :: skip
    fi;
    if
    :: both = true; ready = 3
    :: both = false
    fi;
    queue0!1
  }
  timeout;
  assert(ended == 2 && !scheduled)
}
