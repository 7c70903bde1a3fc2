// SPDX-License-Identifier: Apache-2.0
/* The counters of a pass in which every task is created, expect_all() in src/omp/graph/graph_counters.h.
 * The diamond 0 -> {1, 2} -> 3. Words count all inputs from the beginning, created or not, so one thread creates the tasks
 * in order and tells nobody; two run what is ready. Each task runs once, after its inputs.
 * mutant LOST_UPDATE: an input that is not the last one counts down by a load and a store
 * mutant FORGETS_ABSENCE: an input looks only whether it is the last one, created or not
 * mutant CREATED_BY_STORE: creation says that a task is there by a load and a store
 * mutant COUNTS_FROM_NONE: words do not expect inputs that are not created */
#define TASKS 4
#define ABSENT -8

short word[TASKS];
bool ready[TASKS], created[TASKS], finished[TASKS], begun;
byte finished_count;

#define first_output(t) (t < 3 -> (t == 0 -> 1 : 3) : TASKS)
#define end_output(t) (t == 0 -> 3 : TASKS)
#define inputs_finished(t) \
  (t == 0 || ((t == 1 || t == 2) && finished[0]) || (t == 3 && finished[1] && finished[2]))

inline make_ready(t) {
  atomic {
    assert(!ready[t] && !finished[t]);
    ready[t] = true
  }
}

inline create(t) {
#ifdef CREATED_BY_STORE
  inputs = word[t] - ABSENT;
  atomic { created[t] = true; word[t] = inputs }
#else
  inputs = word[t] - ABSENT;
  if
  :: inputs == 0 -> atomic { created[t] = true; word[t] = 0 }
  :: else -> atomic { created[t] = true; word[t] = word[t] - ABSENT; inputs = word[t] }
  fi
#endif
  if
  :: inputs == 0 -> make_ready(t)
  :: else
  fi
}

inline one_less(t) {
#ifdef FORGETS_ABSENCE
  atomic { word[t] = word[t] - 1; old = (word[t] == 0 || word[t] == ABSENT -> 1 : 0) }
#else
  old = word[t];
  if
  :: old == 1 -> word[t] = 0
  :: else ->
#ifdef LOST_UPDATE
     word[t] = old - 1
#else
     atomic { old = word[t]; word[t] = old - 1 }
#endif
  fi
#endif
  if
  :: old == 1 -> make_ready(t)
  :: else
  fi
}

active proctype creator() {
  short inputs;
  d_step {
    word[0] = ABSENT; word[1] = ABSENT; word[2] = ABSENT; word[3] = ABSENT;
#ifndef COUNTS_FROM_NONE
    word[1] = ABSENT + 1; word[2] = ABSENT + 1; word[3] = ABSENT + 2;
#endif
    begun = true
  }
  create(0);
  create(1);
  create(2);
  create(3);
  finished_count == TASKS /* or a deadlock */
}

active [2] proctype worker() {
  byte task, output;
  short old;
  begun;
  do
  :: atomic {
       (ready[0] || ready[1] || ready[2] || ready[3]);
       if
       :: ready[0] -> task = 0
       :: ready[1] -> task = 1
       :: ready[2] -> task = 2
       :: ready[3] -> task = 3
       fi;
       ready[task] = false
     }
     assert(created[task] && inputs_finished(task));
     atomic { finished[task] = true; word[task] = ABSENT }
     output = first_output(task);
     do
     :: output < end_output(task) -> one_less(output); output++
     :: else -> break
     od;
     finished_count++
  :: finished_count == TASKS -> break
  od
}
