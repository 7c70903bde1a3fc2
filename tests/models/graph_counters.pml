// SPDX-License-Identifier: Apache-2.0
/* The counters of a static graph's replay: src/omp/graph/graph_counters.h.
 * The diamond 0 -> {1, 2} -> 3, two replays with the same words. One thread creates the tasks in order, task 1
 * only if a branch is taken; two run what is ready. Each task that is created runs once, after its inputs.
 * mutant LOOKS_AT_INPUTS: creation counts the inputs that it sees and stores their number
 * mutant LOST_UPDATE: an input that is not the last one counts down by a load and a store
 * mutant FORGETS_ABSENCE: an input looks only whether it is the last one that is known so far
 * mutant CREATED_BY_STORE: creation says that a task is there by a load and a store */
#define TASKS 4
#define ABSENT -8

short word[TASKS] = ABSENT;
bool ready[TASKS], created[TASKS], finished[TASKS], present[TASKS];
byte created_count, finished_count, rounds;

#define first_output(t) (t < 3 -> (t == 0 -> 1 : 3) : TASKS)
#define end_output(t) (t == 0 -> 3 : TASKS)
#define inputs_finished(t)                                                              \
  (t == 0 || ((t == 1 || t == 2) && finished[0]) ||                                     \
   (t == 3 && (!created[1] || finished[1]) && finished[2]))

inline make_ready(t) {
  atomic {
    assert(!ready[t] && !finished[t]);
    ready[t] = true
  }
}

inline create(t) {
  assert(word[t] < 0);
#ifdef LOOKS_AT_INPUTS
  inputs = 0;
  if
  :: t == 3 ->
     if
     :: present[1] -> inputs++
     :: else
     fi;
     if
     :: present[2] -> inputs++
     :: else
     fi
  :: (t == 1 || t == 2) && present[0] -> inputs++
  :: else
  fi;
  atomic { created[t] = true; present[t] = true; word[t] = inputs }
#else
  output = first_output(t);
  do
  :: output < end_output(t) -> word[output] = word[output] + 1; output++
  :: else -> break
  od;
#ifdef CREATED_BY_STORE
  inputs = word[t] - ABSENT;
  atomic { created[t] = true; word[t] = inputs }
#else
  atomic { created[t] = true; word[t] = word[t] - ABSENT; inputs = word[t] }
#endif
#endif
  created_count++;
  if
  :: inputs == 0 -> make_ready(t)
  :: else
  fi
}

inline one_less(t) {
#ifdef LOOKS_AT_INPUTS
  atomic { /* the paper: those above 0 */
    old = 0;
    if
    :: word[t] > 0 -> old = word[t]; word[t] = old - 1
    :: else
    fi
  }
#else
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
#endif
  if
  :: old == 1 -> make_ready(t)
  :: else
  fi
}

active proctype creator() {
  byte output;
  short inputs;
  do
  :: rounds < 2 ->
     create(0);
     if
     :: create(1)
     :: skip
     fi;
     create(2);
     create(3);
     finished_count == created_count; /* or a deadlock */
     d_step {
       output = 0;
       do
       :: output < TASKS ->
          assert(finished[output] == created[output]);
          created[output] = false; finished[output] = false; output++
       :: else -> break
       od;
       created_count = 0; finished_count = 0; rounds++
     }
  :: else -> break
  od;
  rounds = 3
}

active [2] proctype worker() {
  byte task, output;
  short old;
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
     atomic { finished[task] = true; present[task] = false; word[task] = ABSENT }
     output = first_output(task);
     do
     :: output < end_output(task) -> one_less(output); output++
     :: else -> break
     od;
     finished_count++
  :: rounds == 3 -> break
  od
}
