// SPDX-License-Identifier: Apache-2.0
/* What lies below a task at a lock: src/sched/precedence.cpp, with peek_ready, make_ready, release and
 * enqueue_or_retire of src/sched/suspend.cpp.
 * An entity with a ULT 0 that waits below and a ULT 1, begun above it, that waits for a lock twice; a
 * waker each, two workers. ULT 0 goes on only while 1 does not wait for its lock, and both end.
 * variant LETS_PASS: the lock comes free only when 0 has gone on; the monitor lets it pass at some time
 * mutant NEVER_PASSES: the same, and the monitor does not
 * mutant PASSES_UNHELD: the monitor changes what it finds though it does not hold the entity
 * mutant FORGETS_HELD: who goes on leaves behind what it held back
 * mutant HOLDS_NOTHING: what is below is as ready as anything
 * mutant QUEUES_HELD: a waker queues the entity though nothing of it may go on */
#if defined(NEVER_PASSES) || defined(PASSES_UNHELD)
#define LETS_PASS
#endif
#define LOCKINGS 2

chan queue = [4] of { bit };
bool scheduled = true, precedence, listed, list_lock, below_passed;
byte mailbox, ready, held; /* sets of ULTs; the last two: W: holder */
bool registered, happened; /* ULT 1; 0 waits from the start */
byte lockings, running, ended;

inline lock_list() { atomic { !list_lock -> list_lock = true } }
inline unlock_list() { list_lock = false }

/* Holder. */
inline peek_ready() {
  do
  :: ready == 0 && mailbox == 0 -> break
  :: else ->
     if
     :: ready == 0 -> atomic { ready = mailbox; mailbox = 0 }
     :: else
     fi;
     if
#ifndef HOLDS_NOTHING
     :: precedence && (ready & 1) ->
        ready = ready & 2;
        lock_list();
        listed = true;
        unlock_list();
        held = 1
#endif
     :: else
     fi;
     if
     :: ready != 0 -> break
     :: else
     fi
  od
}

inline enqueue_or_retire() {
  do
  :: peek_ready();
     if
     :: ready != 0 -> queue!1; break
     :: else
     fi;
     atomic {
       if
       :: mailbox == 0 -> scheduled = false; break
       :: else
       fi
     }
  od
}

inline make_ready(u) {
  atomic {
    was = scheduled;
    scheduled = true;
    mailbox = mailbox | (1 << (u))
  }
  if
#ifdef QUEUES_HELD
  :: !was -> peek_ready(); queue!1
#else
  :: !was -> enqueue_or_retire()
#endif
  :: else
  fi;
  was = false
}

inline dismiss() {
  listed = false;
#ifndef FORGETS_HELD
  ready = ready | held;
#endif
  held = 0
}

/* put_in_force */
inline end_precedence() {
  if
  :: precedence ->
     precedence = false;
     if
     :: held != 0 -> lock_list(); dismiss(); unlock_list()
     :: else
     fi
  :: else
  fi
}

inline wait_for_lock() {
  atomic { lockings++; happened = false }
  precedence = true;
  atomic { late = happened; registered = !late }
  if
  :: late -> make_ready(1)
  :: else
  fi;
  late = false;
  enqueue_or_retire()
}

active [2] proctype worker() {
  bool was, late;
  if
  :: atomic { _pid == 0 -> running++ }; /* ULT 1 runs at first */
     running--;
     wait_for_lock()
  :: _pid == 1
  fi;
end:
  do
  :: queue?1 ->
     peek_ready();
     assert(ready != 0 && running == 0);
     running++;
     if
     :: ready & 1 ->
        ready = ready & 2;
        assert(!precedence);
        atomic { below_passed = true; ended++; running-- }
        enqueue_or_retire()
     :: ready & 2 ->
        ready = ready & 1;
        end_precedence();
        if
        :: lockings < LOCKINGS -> running--; wait_for_lock()
        :: else -> atomic { ended++; running-- }; enqueue_or_retire()
        fi
     fi
  od
}

active proctype waker_below() {
  bool was;
  make_ready(0)
}

active proctype waker_lock() {
  bool was;
  byte times;
  do
  :: times < LOCKINGS ->
#ifdef LETS_PASS
     below_passed;
#endif
     atomic { lockings > times && !happened; happened = true; times++ }
     if
     :: atomic { registered -> registered = false }
        make_ready(1)
     :: !registered /* its commit will see it */
     fi
  :: else -> break
  od
}

#if defined(LETS_PASS) && !defined(NEVER_PASSES)
active proctype monitor() {
  bool got;
end:
  do
  :: listed ->
     lock_list();
     got = false;
     atomic {
       if
#ifdef PASSES_UNHELD
       :: listed -> got = true
#else
       :: listed && !scheduled && mailbox == 0 -> got = true; scheduled = true
#endif
       :: else
       fi
     }
     if
     :: got -> precedence = false; dismiss()
     :: else
     fi;
     unlock_list();
     if
     :: got -> enqueue_or_retire()
     :: else
     fi
  od
}
#endif

init {
  timeout;
  assert(ended == 2 && !scheduled && held == 0 && empty(queue))
}
