// SPDX-License-Identifier: Apache-2.0
/* Suspension against wake-up: depart, enqueue, make_ready and release in src/sched/suspend.cpp and ready.cpp, the
 * mailbox of src/sched/entity.h.
 * An entity with two ULTs that wait twice each, for a waker each; two workers. The entity runs at one
 * place at a time and stands in one queue at most, a ULT goes on once its context is saved, and all end.
 * mutant RELEASES_FIRST: the entity is given up before the context of its ULT is saved
 * mutant RETIRES_BLINDLY: the entity is given up without a look at its mailbox
 * mutant ALWAYS_QUEUES: a waker queues the entity although it is scheduled
 * mutant FORGETS_LATE: commit that finds nothing to wait for does not make the ULT ready */
#define ULTS 2
#define WAITS 2

chan queue = [4] of { bit };
bool scheduled = true;
byte mailbox, ready = 3; /* sets of ULTs; ready: W: holder */
bool saved[ULTS], registered[ULTS], happened[ULTS];
byte waits[ULTS], running, ended;

inline make_ready(u) {
  atomic {
    was = scheduled;
    scheduled = true;
    mailbox = mailbox | (1 << (u))
  }
  if
#ifdef ALWAYS_QUEUES
  :: true -> queue!1
#else
  :: !was -> queue!1
  :: else
#endif
  fi;
  was = 0
}

/* Holder: nothing of the entity runs any more. */
inline release() {
  if
  :: ready != 0 -> queue!1
  :: else ->
     atomic {
#ifndef RETIRES_BLINDLY
       was = (mailbox != 0);
#endif
       if
       :: !was -> scheduled = false
       :: else
       fi
     }
     if
     :: was -> queue!1
     :: else
     fi
  fi;
  was = 0
}

inline commit(u) {
  atomic {
    late = happened[u];
    registered[u] = !late
  }
#ifndef FORGETS_LATE
  if
  :: late -> make_ready(u)
  :: else
  fi;
#endif
  late = 0
}

/* The ULT runs, and waits or ends; what follows happens on the stack that the worker goes on with. */
inline run_ult(u) {
  atomic {
    assert(running == 0 && saved[u]);
    running++;
    saved[u] = false
  }
  if
  :: waits[u] < WAITS ->
     atomic { waits[u]++; happened[u] = false } /* something new to wait for */
#ifdef RELEASES_FIRST
     commit(u);
     release();
     atomic { running--; saved[u] = true }
#else
     atomic { running--; saved[u] = true }
     commit(u);
     release()
#endif
  :: else -> ended++; running--; release()
  fi
}

active [2] proctype worker() {
  bool was, late;
  byte u;
end:
  do
  :: queue?1 ->
     if /* peek_ready */
     :: ready == 0 -> atomic { ready = mailbox; mailbox = 0 }
     :: else
     fi;
     assert(ready != 0);
     if
     :: ready & 1 -> u = 0
     :: ready & 2 -> u = 1
     fi;
     ready = ready & (255 - (1 << u));
     run_ult(u);
     u = 0
  od
}

active [ULTS] proctype waker() {
  bool was;
  byte u = _pid - 2, times;
  do
  :: times < WAITS ->
     atomic { waits[u] > times && !happened[u]; happened[u] = true; times++ }
     if
     :: atomic { registered[u] -> registered[u] = false }
        make_ready(u)
     :: !registered[u] /* commit will see it */
     fi
  :: else -> break
  od
}

init {
  atomic { saved[0] = true; saved[1] = true; queue!1 }
  timeout;
  assert(ended == ULTS && !scheduled && empty(queue))
}
