// SPDX-License-Identifier: Apache-2.0
/* A helper opens a graph whose tasks the first thread calls in order: src/omp/replay/graph_replay.cpp. Three tasks,
 * of which each waits for the one before it. Each runs once, and none before the last one has ended.
 * mutant NO_FENCE_OF_HELPER: the helper reads the position without it
 * mutant NO_FENCE_OF_FIRST: the first thread looks without it
 * mutant RUNS_AGAIN: the first thread goes on at its own position */
#define THREADS 2
#define VARIABLES 2
#define TASKS 3
#define POSITION 0
#define WANTS 1
#include "store_buffers.pml"

byte runs[TASKS];
byte opened_at, next;  /* from the opening on: the task that is ready; TASKS: none is left */
bool opened, ended, taken;

inline run_task(t) {
  assert(runs[t] == 0 && (t == 0 || runs[t - 1] == 1));
  runs[t]++
}

/* Whoever is a runner, once the graph is open. */
inline run_ready(t) {
  do
  :: atomic { next < TASKS && !taken -> taken = true; t = next };
     run_task(t);
     atomic { taken = false; next = t + 1 }
  :: next >= TASKS -> break
  od
}

proctype first(byte me) {
  byte task, wants;
  do
  :: store(me, POSITION, task);
#ifndef NO_FENCE_OF_FIRST
     full_fence(me);
#endif
     load(me, WANTS, wants);
     if
     :: wants -> break
     :: !wants && task == TASKS -> break
     :: !wants && task < TASKS -> run_task(task); task++
     fi
  od;
  if
  :: wants ->
     opened;
#ifdef RUNS_AGAIN
     atomic { next = (task > next -> task : next); taken = false };
     if
     :: task < TASKS -> run_task(task); next = task + 1
     :: else
     fi;
#else
     if
     :: opened_at == task && task < TASKS -> run_task(task)
     :: else
     fi;
     next = opened_at + 1;  /* the first thread has it until here */
     taken = false;
#endif
     run_ready(task)
  :: else
  fi;
  ended = true
}

proctype helper(byte me) {
  byte t;
  if
  :: skip  /* it leaves short tasks alone */
  :: store(me, WANTS, 1);
#ifndef NO_FENCE_OF_HELPER
     full_fence(me);
#endif
     load(me, POSITION, opened_at);
     taken = true;
     next = opened_at;
     opened = true;
     run_ready(t)
  fi
}

init {
  atomic { run first(0); run helper(1) }
  timeout;
  assert(ended && runs[0] == 1 && runs[1] == 1 && runs[2] == 1)
}
