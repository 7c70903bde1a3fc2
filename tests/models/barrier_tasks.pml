// SPDX-License-Identifier: Apache-2.0
/* All tasks complete at a barrier: unfinished in src/omp/queue/task_pool.cpp, check_completion in
 * src/omp/task/task_count.cpp, as complete_barrier; run_tasks_at_barrier in src/omp/task/task_wait.cpp,
 * complete_phase and meet_at_counter in src/omp/worksharing/barrier.cpp.
 * Two members and a worker, or one and two. The first member makes a task before the first barrier, the
 * task makes another one, and the workers run them. No task is unfinished when the barrier is passed, and it is passed; so is a second
 * barrier, without tasks.
 * variant TWO_WORKERS
 * mutant CREATED_FIRST: the sum of created tasks is read before that of finished ones
 * mutant NO_FENCE: check_completion looks without a fence after the count
 * mutant NO_LOOK: a member that has registered does not look again
 * variant WEAK: read-modify-writes are no fences (store_buffers.pml)
 * mutant WEAK_NO_FENCE_AFTER_PUSH: a member that has registered looks as if that were a fence
 * mutant WEAK_NO_FENCE_AFTER_PHASE: who completes a barrier looks at the sleepers as if to store the phase were one
 * mutant NO_PHASE_CHECK: complete_phase does not look whether the barrier is complete already */
#ifdef NO_FENCE
#define TWO_WORKERS
#endif
#ifdef WEAK_NO_FENCE_AFTER_PUSH
#define WEAK
#endif
#ifdef WEAK_NO_FENCE_AFTER_PHASE
#define WEAK
#endif
#define BARRIERS 2
#ifdef TWO_WORKERS
#define MEMBERS 1
#define THREADS 4 /* 0, 1: members; 2, 3: workers that run tasks */
#else
#define MEMBERS 2
#define THREADS 3
#endif
#define VARIABLES 12
#define MARK 0
#define ARRIVALS 1
#define PHASE 2
#define LOCK 3
#define SLEEPERS 4
#define TASK 5      /* and 6: queued */
#define CREATED 7   /* of queue 0 (member 0's), then of the workers' */
#define FINISHED 10 /* of the workers' */
#include "store_buffers.pml"

bool ready[2];
byte unfinished, passed;

inline sum_created(t) {
  load(t, CREATED, seen);
  sum = sum + seen;
  load(t, CREATED + 1, seen);
  sum = sum + seen;
  load(t, CREATED + 2, seen);
  sum = sum + seen;
  seen = 0
}

inline sum_finished(t) {
  load(t, FINISHED, seen);
  sum = sum - seen;
  load(t, FINISHED + 1, seen);
  sum = sum - seen;
  seen = 0
}

/* sum is 0 then */
inline quiescent(t) {
  sum = 0;
#ifdef CREATED_FIRST
  sum_created(t);
  sum_finished(t)
#else
  sum_finished(t);
  sum_created(t)
#endif
}

inline wake_all(t) {
  load(t, SLEEPERS, seen);
  if
  :: seen ->
     update(t, SLEEPERS, 0, seen);
     atomic {
       ready[0] = ready[0] || (seen & 1);
       ready[1] = ready[1] || (seen & 2)
     }
  :: else
  fi;
  seen = 0
}

inline fence_after_phase(t) {
#ifndef WEAK_NO_FENCE_AFTER_PHASE
  fence_after_atomic(t)
#else
  skip
#endif
}

inline check_completion(t) {
#ifndef NO_FENCE
  full_fence(t);
#endif
  quiescent(t);
  if
  :: sum == 0 ->
     lock(t, LOCK);
     load(t, ARRIVALS, seen);
     if
     :: seen == MEMBERS ->
        quiescent(t);
        if
        :: sum == 0 ->
           store(t, ARRIVALS, 0);
           update(t, PHASE, seen + 1, seen);
           unlock(t, LOCK);
           fence_after_phase(t);
           wake_all(t)
        :: else -> unlock(t, LOCK)
        fi
     :: else -> unlock(t, LOCK)
     fi
  :: else
  fi;
  sum = 0; seen = 0
}

inline complete_phase(t) {
  lock(t, LOCK);
  load(t, PHASE, seen);
  if
#ifdef NO_PHASE_CHECK
  :: true ->
#else
  :: seen == phase ->
#endif
     store(t, ARRIVALS, 0);
     update(t, PHASE, seen + 1, seen)
#ifndef NO_PHASE_CHECK
  :: else
#endif
  fi;
  unlock(t, LOCK);
  fence_after_phase(t);
  wake_all(t)
}

/* Until the phase has changed or, where the member knows of no tasks, it sees that there are some. */
inline wait() {
  do
  :: load(me, PHASE, seen);
     done = (seen != phase);
     if
     :: !done && with_tasks -> check_completion(me)
     :: !done && !with_tasks -> used()
     :: done
     fi;
     if
     :: done -> break
     :: else
     fi;
     update(me, SLEEPERS, seen | (1 << me), seen);
#ifndef WEAK_NO_FENCE_AFTER_PUSH
     fence_after_atomic(me);
#endif
#ifndef NO_LOOK
     load(me, PHASE, seen);
     done = (seen != phase);
     if
     :: !done && with_tasks -> tasks_done()
     :: !done && !with_tasks -> used()
     :: done
     fi;
     if
     :: done -> wake_all(me)
     :: else
     fi;
#endif
     atomic { ready[me]; ready[me] = false }
  od;
  done = 0; seen = 0
}

inline tasks_done() {
  load(me, ARRIVALS, seen);
  if
  :: seen == MEMBERS -> quiescent(me); done = (sum == 0); sum = 0
  :: else
  fi
}

inline used() { load(me, MARK, seen); done = (seen == barrier) }

inline run_tasks_at_barrier() {
  with_tasks = 1;
  wait();
  with_tasks = 0
}

proctype member(byte me) {
  byte barrier, phase, seen, sum, done, arrived, with_tasks;
  do
  :: barrier < BARRIERS ->
     barrier++;
     if
     :: me == 0 && barrier == 1 ->
        store(me, MARK, barrier);
        store(me, CREATED, 1);
        unfinished++;
        store(me, TASK, 1)
     :: else
     fi;
     load(me, PHASE, phase);
     update(me, ARRIVALS, arrived + 1, arrived);
     arrived++;
     used();
     if
     :: done -> done = 0; run_tasks_at_barrier()
     :: !done && arrived == MEMBERS -> complete_phase(me)
     :: else ->
        wait();
        load(me, PHASE, seen);
        if
        :: seen == phase -> run_tasks_at_barrier()
        :: else
        fi
     fi;
     arrived = 0; seen = 0;
     assert(unfinished == 0);
     atomic { passed++; assert(barrier == 1 || passed > MEMBERS) }
  :: else -> break
  od
}

proctype worker(byte me) {
  byte seen, sum, created, finished, task;
end:
  do
  :: atomic { (memory[TASK] || memory[TASK + 1]) && empty(buffer[me]) ->
       task = (memory[TASK] -> 1 : 2);
       memory[TASK + task - 1] = 0
     }
     if
     :: task == 1 ->
        created++;
        store(me, CREATED + me - 1, created);
        unfinished++;
        store(me, TASK + 1, 1)
     :: else
     fi;
     task = 0;
     finished++;
     unfinished--;
     store(me, FINISHED + me - 2, finished);
     check_completion(me)
  od
}

init {
  atomic {
#ifdef TWO_WORKERS
    run worker(3);
#else
    run member(1);
#endif
    run member(0); run worker(2)
  }
  timeout;
  assert(passed == MEMBERS * BARRIERS && memory[PHASE] == BARRIERS)
}
