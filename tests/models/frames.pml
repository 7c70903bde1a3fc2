// SPDX-License-Identifier: Apache-2.0
/* Which frame of an entity goes on: src/sched/entity.cpp (pick, retire), src/sched/deferral.cpp, with depart,
 * go_on, make_ready, release and enqueue_or_retire of src/sched/suspend.cpp.
 * An entity with three frames: 0, its lowest, and above it 1 and 2, of which 1 may wait again; a waker each, two
 * workers. A frame goes on only while none above it waits, in the order in which they became ready, and all
 * end. Nothing is lost, and nothing is queued that may not go on.
 * variant BELOW_YIELDS: frame 0 only lets others go first: it may go on while those above wait
 * variant ABOVE_YIELDS: frame 2 only lets others go first: 0 and 1 may go on while it is suspended
 * variant LETS_PASS: what 2 waits for comes only when 0 has gone on; the clock lets that pass at some time
 * variant PASSES_TWICE: the same, and what 1 waits for too
 * variant PASSES_AGAIN: the same, and 1, let pass, waits again for what comes only when 0 has gone on
 * mutant UNLISTS: what was let pass is watched no more, though something is deferred still
 * mutant NEVER_PASSES: what 2 waits for comes only when 0 has gone on, and the clock does not let it pass
 * mutant PASSES_UNHELD: the clock changes what it finds though it does not hold the entity
 * mutant FORGETS_DEFERRED: whoever gives the entity up looks at what is ready only
 * mutant DEFERS_NOTHING: what is below is as ready as anything
 * mutant COUNTS_TWICE: a deferred frame goes on counting as one that waits
 * mutant QUEUES_DEFERRED: a waker queues the entity though nothing of it may go on */
#ifdef UNLISTS
#define PASSES_AGAIN
#endif
#if defined(NEVER_PASSES) || defined(PASSES_UNHELD) || defined(PASSES_TWICE) || defined(PASSES_AGAIN)
#define LETS_PASS
#endif
#if (defined(LETS_PASS) && !defined(PASSES_AGAIN)) || defined(ABOVE_YIELDS)
#define ONE_WAITS_AGAIN 0
#else
#define ONE_WAITS_AGAIN 1
#endif
#define FRAMES 3
#define ACTIVE 0
#define WAITING 1
#define DEFERRED 2
#define ALL_ENDED 7

chan queue = [4] of { bit };
chan ready = [FRAMES] of { byte };   /* W: holder */
chan mailbox = [FRAMES] of { byte };
byte state[FRAMES];                  /* W: holder */
byte waiting, deferred;              /* W: holder */
bool scheduled = true, listed, list_lock;
bool registered[FRAMES], happened[FRAMES];
byte waits_left[FRAMES];
byte running, ended;                 /* ended: a set */
bool lowest_passed;

#ifdef BELOW_YIELDS
#define yields(f) ((f) == 0)
#else
#define yields(f) false
#endif
#ifdef ABOVE_YIELDS
#define defers(f) ((f) == 1)
#else
#define defers(f) ((f) != 0)
#endif

inline lock_list() { atomic { !list_lock -> list_lock = true } }
inline unlock_list() { list_lock = false }

#define is_waiting(f) (state[f] == WAITING)
#define innermost_waiting (waiting == 0 -> 0 : (is_waiting(2) -> 2 : (is_waiting(1) -> 1 : 0)))

/* Holder. The innermost deferred frame, unless one that waits stands above it. */
inline recall() {
  at = (state[2] != ACTIVE -> 2 : (state[1] != ACTIVE -> 1 : 0));
  if
  :: state[at] == DEFERRED ->
     state[at] = ACTIVE;
     ready!at;
     deferred--;
     recalled = true;
     if
     :: deferred == 0 -> lock_list(); listed = false; unlock_list()
     :: else
     fi
  :: else -> recalled = false
  fi;
  at = 0
}

/* Holder: the head of `ready` may go on; it is empty if nothing may. */
inline pick() {
  do
  :: nempty(ready) ->
     ready?<head>;
     if
#ifndef DEFERS_NOTHING
     :: !yields(head) && head < innermost_waiting ->
        ready?head;
        if
#ifndef COUNTS_TWICE
        :: is_waiting(head) -> waiting--
#endif
        :: else
        fi;
        state[head] = DEFERRED;
        deferred++;
        lock_list(); listed = true; unlock_list()
#endif
     :: else -> break
     fi
  :: empty(ready) && nempty(mailbox) ->
     atomic {
       do
       :: nempty(mailbox) -> mailbox?head; ready!head
       :: empty(mailbox) -> break
       od
     }
  :: empty(ready) && empty(mailbox) ->
     if
     :: deferred != 0 -> recall()
     :: else -> recalled = false
     fi;
     if
     :: !recalled && empty(mailbox) -> break
     :: else -> recalled = false
     fi
  od;
  head = 0
}

inline enqueue_or_retire() {
  do
  :: pick();
     if
     :: nempty(ready) -> queue!1; break
     :: else
     fi;
     atomic {
       if
       :: empty(mailbox) -> scheduled = false; break
       :: else
       fi
     }
  od
}

inline release() {
#ifdef FORGETS_DEFERRED
  atomic {
    gone = empty(ready) && empty(mailbox);
    scheduled = !gone
  }
  if
  :: !gone -> enqueue_or_retire()
  :: else
  fi;
  gone = false
#else
  enqueue_or_retire()
#endif
}

inline make_ready(f) {
  atomic { was = scheduled; scheduled = true; mailbox!f }
  if
#ifdef QUEUES_DEFERRED
  :: !was -> pick(); queue!1
#else
  :: !was -> enqueue_or_retire()
#endif
  :: else
  fi;
  was = false
}

/* depart: the frame registers with what it waits for, and gives the entity up. */
inline wait_once(f) {
  atomic { waits_left[f]--; happened[f] = false }
  if
  :: defers(f) -> state[f] = WAITING; waiting++
  :: else
  fi;
  atomic { late = happened[f]; registered[f] = !late }
  if
  :: late -> make_ready(f)
  :: else
  fi;
  late = false;
  running--;
  release()
}

inline go_on(f) {
  if
  :: is_waiting(f) -> state[f] = ACTIVE; waiting--
  :: else
  fi;
  assert(yields(f) || waiting == 0 || f > innermost_waiting);
  if
  :: f == 0 -> lowest_passed = true
  :: else
  fi;
  if
  :: waits_left[f] != 0 -> wait_once(f)
  :: else -> ended = ended | (1 << f); running--; release()
  fi
}

active [2] proctype worker() {
  bool was, late, recalled, gone;
  byte head, at, f;
  if
  :: _pid == 0 ->
     atomic { waits_left[1] = ONE_WAITS_AGAIN; waits_left[2] = 1; running = 1; registered[0] = true; registered[1] = true }
     if
     :: defers(1) -> state[1] = WAITING; waiting++
     :: else
     fi;
     wait_once(2) /* runs at first, above the other two, which wait */
  :: _pid == 1
  fi;
end:
  do
  :: queue?1 ->
     pick();
     assert(nempty(ready) && running == 0);
     running++;
     ready?f;
     go_on(f);
     f = 0
  od
}

/* What a frame waits for comes as often as it waits. */
proctype waker(byte f) {
  bool was, recalled;
  byte head, at;
end:
  do
  :: atomic { registered[f] && !happened[f] ->
#ifdef PASSES_TWICE
       (f == 0 || lowest_passed) ->
#else
#ifdef PASSES_AGAIN
       (f == 0 || f == 1 && waits_left[1] == 1 || lowest_passed) ->
#else
#ifdef LETS_PASS
       (f != 2 || lowest_passed) ->
#endif
#endif
#endif
       happened[f] = true; registered[f] = false }
     make_ready(f)
  od
}

#if defined(LETS_PASS) && !defined(NEVER_PASSES)
active proctype clock() {
  bool got, recalled;
  byte head, at;
end:
  do
  :: listed ->
     lock_list();
     atomic {
       if
#ifdef PASSES_UNHELD
       :: listed -> got = true
#else
       :: listed && !scheduled && empty(mailbox) -> got = true; scheduled = true
#endif
       :: else
       fi
     }
     if
     :: got ->
#ifdef UNLISTS
        listed = false;
#endif
        do
        :: is_waiting(1) -> state[1] = ACTIVE; waiting--
        :: is_waiting(2) -> state[2] = ACTIVE; waiting--
        :: !is_waiting(1) && !is_waiting(2) -> break
        od
     :: else
     fi;
     unlock_list();
     if
     :: got -> enqueue_or_retire()
     :: else
     fi;
     got = false
  od
}
#endif

init {
  atomic { run waker(0); run waker(1); run waker(2) }
  timeout;
  assert(ended == ALL_ENDED && !scheduled && waiting == 0 && deferred == 0);
  assert(empty(queue) && empty(ready) && empty(mailbox))
}
