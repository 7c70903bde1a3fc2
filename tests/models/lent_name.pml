// SPDX-License-Identifier: Apache-2.0
/* The name of the encountering thread, lent while members run on top of its frames: lend_below and
 * call_on_top in src/omp/region/parallel.cpp, lend in src/sched/enter.h, take_back_later, depart, make_ready,
 * release and enqueue_or_retire in src/sched/suspend.cpp, assign and let_go in src/omp/task/task_serve.cpp, src/sched/entity.h.
 * The frames call two members, each of which may make a task and spin until it has begun or ended; a team
 * mate makes one at any time. The other workers run tasks in the name, and no other is left; each task may
 * wait once. What runs in the name does so at one place at a time, and so is its TLS block in force; the
 * frames go on, and all tasks end.
 * mutant KEEPS_NAME: the frames do not give the name up
 * mutant GIVES_UP_BLINDLY: they give it up by a plain store though tasks were made
 * mutant GOES_ON_WITHOUT: they go on without taking it back
 * mutant STORES_SCHEDULED: they take it back by a plain store
 * mutant NOBODY_QUEUES: they become ready in it, and nobody looks whether it is idle
 * mutant BLOCK_FIRST: they put the block in force before they hold the name */
#define CALLS 2
#define TASKS 2      /* a member's; the mate's */
#define WORKERS 3
#define FRAMES 4     /* the bit of their ULT; below it are the tasks' */
#define NOWHERE WORKERS
#define NOT_MADE 0
#define QUEUED 1
#define IN_HAND 2
#define BEGUN 3
#define ENDED 4

chan queue = [2] of { bit };
bool scheduled = true, used;
byte mailbox, ready = FRAMES; /* sets of ULTs; ready: W: holder */
byte saved = FRAMES, waiting; /* sets: context saved; registered with what they wait for */
byte waited;                  /* a set of tasks */
byte state[TASKS], unfinished, calls, running;
byte block = NOWHERE;         /* the worker where it is in force */
bool mate_ended, joined;

inline use_block() { atomic { assert(block == NOWHERE); block = me } }
inline leave_block() { atomic { assert(block == me); block = NOWHERE } }

inline stop_running() { atomic { assert(running == 1); running-- } }
inline begin_running() { atomic { assert(running == 0); running++ } }

/* Holder. */
inline enqueue_or_retire() {
  atomic {
    ready = ready | mailbox;
    mailbox = 0;
    if
    :: ready == 0 -> scheduled = false
    :: else -> queue!1
    fi
  }
}

inline make_ready(u) {
  atomic {
    was = scheduled;
    scheduled = true;
    mailbox = mailbox | (u)
  }
  if
  :: !was -> enqueue_or_retire()
  :: else
  fi;
  was = false
}

#define all_ended (mate_ended && unfinished == 0)

inline make_task(t) { atomic { unfinished++; used = true }; state[t] = QUEUED }

/* The last task, or the mate: to the frames, if they wait at the join. */
inline look_for_end() {
  if
  :: atomic { all_ended && (waiting & FRAMES) -> waiting = waiting & (FRAMES - 1) }
     make_ready(FRAMES)
  :: else
  fi
}

inline lend() {
  leave_block();
  stop_running();
#ifndef KEEPS_NAME
  if
#ifdef GIVES_UP_BLINDLY
  :: true ->
#else
  :: !used ->
#endif
     atomic { scheduled = false; mailbox = 0 }
#ifndef GIVES_UP_BLINDLY
  :: else -> enqueue_or_retire()
#endif
  fi
#endif
}

inline member() {
  if
  :: state[0] == NOT_MADE ->
     make_task(0);
     if
     :: true -> state[0] == ENDED
     :: true -> state[0] >= BEGUN
     :: true
     fi
  :: true
  fi;
  calls++
}

/* got: they hold the name. */
inline take_back() {
#ifdef BLOCK_FIRST
  use_block();
#endif
#if defined(KEEPS_NAME) || defined(GOES_ON_WITHOUT)
  got = true;
#else
#ifdef STORES_SCHEDULED
  atomic { got = true; scheduled = true; mailbox = 0 }
#else
  atomic {
    got = (!scheduled && mailbox == 0);
    scheduled = true
  }
#endif
#endif
#ifdef BLOCK_FIRST
  if
  :: !got -> leave_block()
  :: else
  fi
#else
  if
  :: got -> use_block()
  :: else
  fi
#endif
}

/* Returns when they have suspended or ended. */
inline frames() {
  do
  :: calls < CALLS ->
     lend();
     member();
     take_back();
     if
     :: got -> got = false; begin_running()
     :: else ->
        saved = saved | FRAMES; /* take_back_later */
#ifdef NOBODY_QUEUES
        atomic { scheduled = true; mailbox = mailbox | FRAMES }
#else
        make_ready(FRAMES);
#endif
        break
     fi
  :: calls == CALLS ->
     leave_block();
     stop_running();
     if
     :: atomic { all_ended -> joined = true }
     :: atomic { !all_ended -> saved = saved | FRAMES; waiting = waiting | FRAMES }
     fi;
     enqueue_or_retire();
     break
  od
}

/* Begins or goes on. */
inline task() {
  if
  :: !(waited & (1 << t)) ->
     waited = waited | (1 << t);
     leave_block();
     atomic { stop_running(); saved = saved | (1 << t) }
     waiting = waiting | (1 << t);
     enqueue_or_retire()
  :: true ->
     state[t] = ENDED;
     leave_block();
     stop_running();
     enqueue_or_retire();
     unfinished--;
     look_for_end()
  fi
}

inline serve() {
  if
  :: atomic { state[t] == QUEUED -> state[t] = IN_HAND }
     atomic {
       got = (!scheduled && mailbox == 0);
       scheduled = scheduled || got
     }
     if
     :: got ->
        got = false;
        use_block();
        begin_running();
        state[t] = BEGUN;
        task()
     :: else -> state[t] = QUEUED
     fi
  :: state[t] != QUEUED
  fi
}

#define may_lend (!scheduled && mailbox == 0)

proctype worker(byte me) {
  bool was, got;
  byte t;
end:
  do
  :: queue?1 ->
     assert(ready != 0);
     if
     :: ready & FRAMES -> t = 2
     :: ready & 1 -> t = 0
     :: ready & 2 -> t = 1
     fi;
     atomic {
       assert(saved & (1 << t));
       ready = ready & (7 - (1 << t));
       saved = saved & (7 - (1 << t))
     }
     use_block();
     begin_running();
     if
     :: t == 2 -> frames()
     :: else -> task()
     fi;
     t = 0
  :: may_lend && state[0] == QUEUED -> t = 0; serve(); t = 0
  :: may_lend && state[1] == QUEUED -> t = 1; serve(); t = 0
  od
}

proctype mate() {
  bool was;
  if
  :: make_task(1)
  :: true
  fi;
  mate_ended = true;
  look_for_end()
}

proctype waker(byte t) {
  bool was;
end:
  atomic { waiting & (1 << t) -> waiting = waiting & (7 - (1 << t)) }
  make_ready(1 << t)
}

init {
  atomic {
    queue!1;
    run worker(0); run worker(1); run worker(2);
    run mate(); run waker(0); run waker(1)
  }
  timeout;
  assert(joined && unfinished == 0 && running == 0 && block == NOWHERE);
  assert(!scheduled && mailbox == 0 && ready == 0 && empty(queue))
}
