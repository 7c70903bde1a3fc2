// SPDX-License-Identifier: Apache-2.0
/* taskyield: taskyield and give_way in src/omp/task/task_wait.cpp, suspend_once in src/sched/wait.h, Turn in src/sched/wait_list.h, assign,
 * can_serve_tasks and serve_tasks in src/omp/task/task_serve.cpp, with depart and enqueue of src/sched/suspend.cpp.
 * Thread 0 makes a task and yields until it has run; thread 1 yields too, or spins until 0 has ended, pinned
 * to a worker or not. The task may begin in both names or in one. Two workers; the monitor helps only what
 * stands behind a stuck worker: the team's bubble is not in that one's runqueue. The task is run, who yields
 * goes on, and a server leaves nobody in the list whom it found there.
 * mutant OFFERS_FIRST: who yields offers the tasks before it stands in the list, and not then
 * mutant IGNORES_YIELDERS: a worker that looks does not count them as something to serve
 * mutant NO_WAKE: a server that finds no task does not wake them
 * mutant NO_LOOK: who yields goes on waiting though no task is queued once it stands in the list */
#define ALL 3

chan queue[2] = [4] of { bit };
bool scheduled[2] = true, ready[2]; /* ready: in the mailbox or taken from there */
bool asleep[2], stuck[2], pinned, spins;
bit home[2];
bool made, queued, ran, ended[2];
byte yielders, names; /* sets of threads; names: in which the task may begin */
byte owed[2];         /* whom a worker found in the list, and nobody has woken since */
byte running[2];

inline wake(w) { asleep[w] = false }

inline enqueue(e) {
  if
  :: e == 1 && pinned -> home[e] = 0
  :: else
  fi;
  queue[home[e]]!e;
  if
  :: asleep[home[e]] -> wake(home[e])
  :: else ->
     if
     :: (e == 0 || !pinned) && asleep[1 - home[e]] -> wake(1 - home[e])
     :: else
     fi
  fi
}

inline make_ready(e) {
  atomic { was = scheduled[e]; scheduled[e] = true; ready[e] = true }
  if
  :: !was -> enqueue(e)
  :: else
  fi;
  was = false
}

inline release(e) {
  atomic {
    was = ready[e];
    if
    :: !was -> scheduled[e] = false
    :: else
    fi
  }
  if
  :: was -> enqueue(e)
  :: else
  fi;
  was = false
}

/* Worker 1 is the holder of the bubble. */
inline offer() {
  if
  :: asleep[1] -> wake(1)
  :: else ->
     if
     :: asleep[0] -> wake(0)
     :: else
     fi
  fi
}

inline wake_all() {
  atomic {
    set = yielders;
    yielders = 0;
    owed[0] = owed[0] & (ALL - set);
    owed[1] = owed[1] & (ALL - set)
  }
  if
  :: set & 1 -> make_ready(0)
  :: else
  fi;
  if
  :: set & 2 -> make_ready(1)
  :: else
  fi;
  set = 0
}

/* On the stack that the worker goes on with. */
inline give_way(e) {
#ifdef OFFERS_FIRST
  offer();
#endif
  running[e]--;
  yielders = yielders | (1 << e);
  if
#ifdef NO_LOOK
  :: !queued
#else
  :: !queued -> wake_all()
#endif
#ifdef OFFERS_FIRST
  :: else
#else
  :: else -> offer()
#endif
  fi;
  release(e)
}

inline run_thread() {
  atomic { assert(running[e] == 0); running[e]++; ready[e] = false; home[e] = me }
  if
  :: e == 0 && !ran && !queued && !made -> made = true; queued = true; offer()
  :: else
  fi;
  if
  :: e == 1 && spins ->
     stuck[me] = true;
     ended[0];
     stuck[me] = false;
     atomic { ended[e] = true; running[e]-- }
     release(e)
  :: else ->
     do
     :: ran ->
        atomic { ended[e] = true; running[e]-- }
        release(e);
        break
     :: !ran && queued -> give_way(e); break
     :: !ran && !queued && yielders != 0 -> wake_all()
     :: !ran && !queued && nempty(queue[me]) ->
        running[e]--;
        make_ready(e);
        release(e);
        break
     od
  fi
}

#define free(n) (!scheduled[n] && (names & (1 << (n))))
#ifdef IGNORES_YIELDERS
#define can_serve (queued && (free(0) || free(1)))
#else
#define can_serve (yielders != 0 || (queued && (free(0) || free(1))))
#endif

/* With the task in hand. */
inline try_name(n) {
  atomic {
    got = !scheduled[n];
    scheduled[n] = true
  }
  if
  :: got ->
     atomic { assert(running[n] == 0); running[n]++; home[n] = me }
     ran = true;
     running[n]--;
     release(n)
  :: else -> queued = true
  fi
}

inline serve() {
  got = false;
  owed[me] = yielders;
  n = 0;
  do
  :: n < 2 && !got && free(n) ->
     if
     :: atomic { queued -> queued = false } try_name(n)
     :: !queued
     fi;
     n++
  :: n < 2 && !got && !free(n) -> n++
  :: n == 2 || got -> break
  od;
#ifdef NO_WAKE
  if
  :: got -> wake_all()
  :: else
  fi;
#else
  if
  :: yielders != 0 -> wake_all()
  :: else
  fi;
#endif
  atomic { assert(owed[me] == 0); got = false; n = 0 }
}

#define can_steal_0 queue[1 - me]??[0]
#define can_steal_1 (!pinned && queue[1 - me]??[1])
#define can_steal (can_steal_0 || can_steal_1)

inline look() {
  found = true;
  if
  :: atomic { nempty(queue[me]) -> queue[me]?e } run_thread(); e = 0
  :: atomic { empty(queue[me]) && can_steal_0 -> queue[1 - me]??0; e = 0 } run_thread()
  :: atomic { empty(queue[me]) && can_steal_1 -> queue[1 - me]??1; e = 1 } run_thread(); e = 0
  :: empty(queue[me]) && !can_steal && can_serve -> serve()
  :: empty(queue[me]) && !can_steal && !can_serve -> found = false
  fi
}

proctype worker(bit me) {
  bool was, got, found;
  bit e;
  byte set, n;
  do
  :: look();
     if
     :: !found ->
        asleep[me] = true;
        if
        :: nempty(queue[me]) || can_steal || can_serve -> asleep[me] = false
        :: empty(queue[me]) && !can_steal && !can_serve ->
end_asleep:
           !asleep[me]
        fi
     :: else
     fi
  od
}

/* Thread 1 spins there, so it is 0 that stands behind it. */
proctype monitor() {
end:
  do
  :: atomic { stuck[0] && queue[0]??[0] -> queue[0]??0; home[0] = 1; queue[1]!0; wake(1) }
  :: atomic { stuck[1] && queue[1]??[0] -> queue[1]??0; home[0] = 0; queue[0]!0; wake(0) }
  od
}

/* A third thread that waits for the task may call it, and goes on with something else. */
proctype caller() {
end:
  atomic { queued -> queued = false }
  ran = true
}

init {
  atomic {
    if
    :: spins = true; pinned = true; names = 1
    :: spins = true; names = 1
    :: names = 1
    :: names = 2
    :: names = 3
    fi;
    queue[0]!0; queue[0]!1;
    run worker(0); run worker(1); run monitor(); run caller()
  }
  timeout;
  assert(ran && ended[0] && ended[1] && yielders == 0)
}
