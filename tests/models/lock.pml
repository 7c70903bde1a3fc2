// SPDX-License-Identifier: Apache-2.0
/* Locks that several wait for: set_slow and unset_slow in src/omp/sync/lock.cpp, enlist_while and wake_one_or_clear in
 * src/sched/parking.cpp. Three threads take a lock twice each; who polls may give up at any time, and whoever finds the lock free
 * may take it before the next does. One at a time holds it, and all end.
 * mutant CLEARS_OUTSIDE: that nobody was woken is written into the word without the table's lock
 * mutant STAYS_NEXT: whoever gives up polling stays the next
 * mutant LOOKS_FIRST: looks at the word before it counts itself in the table, without its lock */
#define THREADS 3
#define TURNS 2

bool held, next;          /* the word, with waiters */
byte waiters;
bool table_lock;
byte counted;             /* in the table */
chan table = [THREADS] of { byte };
bool woken[THREADS];
byte inside, ended;

inline lock_table() { atomic { !table_lock -> table_lock = true } }
inline unlock_table() { table_lock = false }

inline wait_in_table() {
#ifdef LOOKS_FIRST
  stays = held;
#endif
  lock_table();
  counted++;
#ifndef LOOKS_FIRST
  stays = held;
#endif
  if
  :: stays -> table!me; unlock_table(); woken[me] -> woken[me] = false; is_next = true
  :: else -> counted--; unlock_table(); become_next()
  fi
}

inline become_next() { atomic { is_next = !next; next = true } }

inline wake() {
  lock_table();
  if
  :: table?other -> counted--; unlock_table(); woken[other] = true
  :: empty(table) ->
#ifdef CLEARS_OUTSIDE
    unlock_table(); next = false
#else
    next = false; unlock_table()
#endif
  fi
}

proctype thread(byte me) {
  byte turn, other;
  bool is_next, seen_next, stays, alone;
  do
  :: turn == TURNS -> break
  :: else ->
    atomic {
      if
      :: !held && !next && waiters == 0 -> held = true; goto got_it
      :: else
      fi
    }
    atomic { waiters++ }
    if
    :: become_next()
    :: is_next = false  /* something waits behind the worker */
    fi;
    do
    :: atomic { !held -> held = true; next = false; waiters-- } break  /* the next, or who has left it to that for long enough */
    :: held && !is_next && counted == 0 -> become_next()  /* stays awake, where nobody was seen in the table */
    :: held ->
      if
      :: is_next ->
#ifndef STAYS_NEXT
        next = false
#endif
      :: else
      fi;
      wait_in_table()
    od;
got_it:
    inside++;
    assert(inside == 1);
    inside--;
    atomic { held = false; seen_next = next; alone = !next && waiters == 0 }
    if
    :: alone || seen_next || counted == 0
    :: else ->
      become_next();
      if
      :: is_next -> wake()
      :: else
      fi
    fi;
    turn++
  od;
  ended++
}

init {
  atomic {
    byte i;
    for (i : 0 .. THREADS - 1) { run thread(i) }
  }
  ended == THREADS
}
