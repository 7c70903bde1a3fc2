/* SPDX-License-Identifier: Apache-2.0 */
/* The interface for libraries whose calls block (include/tulle/suspend.h): what suspends gives its core to all
   others, is resumed by a poller or by any OS thread, and ends are held back. Argument: threads. */
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "process.h"
#include "tulle/suspend.h"

enum { kTasks = 64 };

static void expect(int holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "suspend: %s\n", what);
  exit(1);
}

/* The outside: whoever waits is told once as many as shall wait do. */
static struct {
  _Atomic(tulle_suspension *) waits[kTasks];
  atomic_int waiting, wanted, told;
  _Atomic(void *) held;
  atomic_int others_ended, held_told;
} outside;

static int tell(void *data) {
  int came = 0;
  expect(data == &outside, "the poller has its data");
  if (atomic_load(&outside.waiting) == atomic_load(&outside.wanted))
    for (int i = kTasks - 1; i >= 0; --i) {
      tulle_suspension *waits = atomic_exchange(&outside.waits[i], NULL);
      if (waits == NULL) continue;
      atomic_fetch_add(&outside.told, 1);
      tulle_resume(waits);
      came = 1;
    }
  void *held = atomic_load(&outside.others_ended) ? atomic_exchange(&outside.held, NULL) : NULL;
  if (held != NULL) {
    atomic_store(&outside.held_told, 1);
    tulle_release_end(held);
    came = 1;
  }
  return came;
}

static void wait_outside(int number) {
  tulle_suspension suspension = {0};
  const void *self = tulle_current_task();
  expect(tulle_can_suspend() && self != NULL, "a region's tasks can suspend");
  atomic_store(&outside.waits[number], &suspension);
  atomic_fetch_add(&outside.waiting, 1);
  tulle_suspend(&suspension);
  expect(tulle_current_task() == self, "a task stays itself");
}

static void begin(int wanted) {
  atomic_store(&outside.waiting, 0);
  atomic_store(&outside.told, 0);
  atomic_store(&outside.wanted, wanted);
}

/* None is told before all have begun, however few threads there are. */
static void all_tasks_wait(int threads) {
  begin(kTasks);
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i)
    wait_outside(i);
  }
  expect(atomic_load(&outside.told) == kTasks, "each task waited once");
}

static void tasks_of_tasks_wait(int threads) {
  begin(kTasks);
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < kTasks; i += 8) {
#pragma omp task firstprivate(i)
    {
      for (int j = i; j < i + 7; ++j) {
#pragma omp task firstprivate(j)
        wait_outside(j);
      }
      wait_outside(i + 7);
#pragma omp taskwait
    }
  }
  expect(atomic_load(&outside.told) == kTasks, "children waited beside their parents");
}

/* Returns when all threads of the region have called it: no barrier, where they would count as waiting. */
static void looked(int threads) {
  static atomic_int count;
  int round = atomic_fetch_add(&count, 1) / threads + 1;
  while (atomic_load(&count) < round * threads) tulle_looked_in_vain();
}

/* Whose mates wait at a barrier, or have ended, is alone too, once they do. */
static int comes_to_be_alone(void) {
  for (int i = 0; i < 20000; ++i) {
    if (tulle_can_suspend() == 2) return 1;
    tulle_looked_in_vain();
    if (i > 1000) usleep(100);
  }
  return 0;
}

static void alone_beside_waiters(int threads) {
  begin(1);
#pragma omp parallel num_threads(threads)
  {
#pragma omp master
    expect(comes_to_be_alone(), "others wait at a barrier");
#pragma omp barrier
#pragma omp single
    {
      expect(comes_to_be_alone(), "others wait at the barrier of a single construct");
#pragma omp task
      wait_outside(0);
    }
#pragma omp master
    expect(comes_to_be_alone(), "others have ended");
  }
}

/* 2 where nothing else could come to run: to block is as good there. */
static void alone_or_not(int threads) {
  expect(tulle_can_suspend() == 0, "outside of regions nothing suspends");
  begin(1);
#pragma omp parallel num_threads(threads)
  {
    expect(threads != 1 || tulle_can_suspend() == 2, "a thread without tasks is alone in a team of one");
#pragma omp barrier
    /* Nobody ends before all have looked. */
    if (threads != 1) expect(tulle_can_suspend() == 1, "threads that run are others");
    looked(threads);
#pragma omp single
    {
#pragma omp task
      wait_outside(0);
      expect(tulle_can_suspend() == 1, "a task that waits to begin is not nothing");
    }
    if (threads == 1) expect(tulle_can_suspend() == 2, "when it is complete, nobody is there again");
#pragma omp parallel num_threads(1)
    expect(tulle_can_suspend() == 1, "outer regions may have others");
  }
}

static void all_threads_wait(int threads) {
  begin(threads);
#pragma omp parallel num_threads(threads)
  wait_outside(omp_get_thread_num());
  expect(atomic_load(&outside.told) == threads, "each thread waited once");
}

/* Each holds the lock while it waits; those that want it must not keep its holder from going on. */
static void holders_of_locks_wait(int threads) {
  omp_lock_t lock;
  int entered = 0;
  omp_init_lock(&lock);
  begin(1);
#pragma omp parallel num_threads(threads)
#pragma omp single
  for (int i = 0; i < kTasks; ++i) {
#pragma omp task firstprivate(i) shared(entered)
    {
      omp_set_lock(&lock);
      if (++entered < kTasks) atomic_store(&outside.wanted, entered);
      wait_outside(i);
      atomic_store(&outside.wanted, entered + 1);
      omp_unset_lock(&lock);
    }
  }
  omp_destroy_lock(&lock);
  expect(entered == kTasks, "each task had the lock");
}

/* The holder of a lock waits for what another task does, and tasks before and behind that one want the lock. */
static void holder_waits_for_another(int threads) {
  omp_lock_t lock;
  tulle_suspension suspension = {0};
  atomic_int held = 0;
  int entered = 0;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp task shared(suspension, held)
    {
      omp_set_lock(&lock);
      atomic_store(&held, 1);
      tulle_suspend(&suspension);
      omp_unset_lock(&lock);
    }
    while (!atomic_load(&held)) {
#pragma omp taskyield
    }
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(suspension) firstprivate(i)
      if (i == kTasks / 2) tulle_resume(&suspension);
#pragma omp task shared(entered)
      {
        omp_set_lock(&lock);
        ++entered;
        omp_unset_lock(&lock);
      }
    }
  }
  omp_destroy_lock(&lock);
  expect(entered == kTasks, "each task had the lock in the end");
}

/* One entry for each OS thread, which syscall() names: thread-local variables would be each member's own. */
enum { kOsThreads = 1 << 16 };
static atomic_int amid[kOsThreads];

static atomic_int *of_os_thread(void) { return &amid[syscall(SYS_gettid) % kOsThreads]; }

/* A library whose calls yield the core now and then, and belong to their OS threads while they last. */
static void calls_are_not_left(int threads) {
#pragma omp parallel num_threads(threads)
  for (int call = 0; call < 4; ++call) {
    atomic_int *here = of_os_thread();
    expect(atomic_exchange(here, 1) == 0, "no other member runs amid a call");
    tulle_inside_begin();
    for (int i = 0; i < 10; ++i) sched_yield();  // each may take a turn of all that wait for the core
    expect(of_os_thread() == here, "a call stays on its OS thread");
    tulle_inside_end();
    atomic_store(here, 0);
    sched_yield();
  }
}

/* They block, for their library's lock say, and come back: no OS thread takes what is behind them, to meet the same. First
   of all, when there are none that are left of others' waits. */
static void calls_take_no_os_threads(int threads) {
#pragma omp parallel num_threads(threads)
  sched_yield();
  int before = os_threads(), most = before;
  double longest = 0;
#pragma omp parallel num_threads(threads) reduction(max : most, longest)
  {
    double begin = omp_get_wtime();
    tulle_inside_begin();
    usleep(25000);
    tulle_inside_end();
    longest = omp_get_wtime() - begin;
    most = os_threads();
  }
  /* A busy machine may keep a call for so long that it is taken for one that does not come back. */
  expect(most <= before || longest > 0.1, "nobody stands in for who is amid a call");
}

static void *resume_later(void *suspension) {
  usleep(20000);
  tulle_resume(suspension);
  return NULL;
}

static void stranger_resumes(int threads) {
  int others = 0, seen = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
#pragma omp task shared(others, seen)
    {
      tulle_suspension suspension = {0};
      pthread_t stranger;
      expect(pthread_create(&stranger, NULL, resume_later, &suspension) == 0, "a pthread");
      tulle_suspend(&suspension);
#pragma omp atomic read
      seen = others;
      pthread_join(stranger, NULL);
    }
    for (int i = 0; i < kTasks; ++i) {
#pragma omp task shared(others)
      {
#pragma omp atomic
        ++others;
      }
    }
  }
  expect(seen == kTasks, "others ran while the task was suspended");
  tulle_suspension before = {0};
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    tulle_resume(&before);
    tulle_suspend(&before);
  }
}

static void end_is_held(int threads) {
  int told = -1, data = 0;
  (void)data;
  atomic_store(&outside.others_ended, 0);
  atomic_store(&outside.held_told, 0);
#pragma omp parallel num_threads(threads)
#pragma omp single
  {
    expect(tulle_hold_end() == NULL, "an implicit task's end cannot be held");
#pragma omp task depend(out : data)
    {
      void *held = tulle_hold_end();
      expect(held != NULL && tulle_hold_end() == held, "an explicit task's end can be held twice");
      tulle_release_end(held);
      atomic_store(&outside.held, held);
    }
#pragma omp task depend(in : data) shared(told)
    told = atomic_load(&outside.held_told);
#pragma omp task
    atomic_store(&outside.others_ended, 1);
  }
  expect(told == 1, "what depends on a task waits for its held end");
  int ended = 0;
  atomic_store(&outside.held_told, 0);
#pragma omp parallel num_threads(threads) shared(ended)
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task if (0)
      atomic_store(&outside.held, tulle_hold_end());
    }
    ended = atomic_load(&outside.held_told);
  }
  expect(ended == 1, "a taskgroup waits for the held end of an undeferred task");
}

/* All threads have tasks to run, and one that waits is due early: it is told between two of them, and not when the
   monitor looks next. What counts are the tasks that ended in between, of each thread and in the mean. */
static void told_between_tasks(int threads) {
  enum { kRounds = 20, kComputing = 40, kBefore = 4, kMost = 6 };
  static const double kLength = 100e-6;
  int late = 0;
  for (int round = 0; round < kRounds; ++round) {
    atomic_int computed = 0;
    int told = 0;
    begin(2);
#pragma omp parallel num_threads(threads)
#pragma omp single
#pragma omp task shared(computed, told)
    {
      for (int i = 0; i < kComputing * threads; ++i) {
#pragma omp task shared(computed)
        {
          for (double end = omp_get_wtime() + kLength; omp_get_wtime() < end;) {
          }
          if (atomic_fetch_add(&computed, 1) + 1 == kBefore * threads) atomic_fetch_add(&outside.waiting, 1);
        }
      }
      wait_outside(0);
      told = atomic_load(&computed);
#pragma omp taskwait
    }
    late += told - kBefore * threads;
  }
  expect(late < kMost * kRounds * threads, "who waits is told between two tasks");
}

/* Threads of a team look for what the last of them brings, and make room for it. With more threads than cores,
   others wait for the core of one that looks. */
static void all_look(int threads) {
  atomic_int came = 0, waited = 0;
#pragma omp parallel num_threads(threads)
  {
    if (omp_get_thread_num() == omp_get_num_threads() - 1) atomic_store(&came, 1);
    while (!atomic_load(&came)) {
      if (tulle_others_wait()) atomic_store(&waited, 1);
      tulle_looked_in_vain();
    }
  }
  expect(threads < 16 || atomic_load(&waited), "others waited for a core");
  /* A hint, which may be late by a moment. */
  for (int ms = 0; ms < 1000 && tulle_others_wait(); ms++) usleep(1000);
  expect(!tulle_others_wait(), "nobody waits outside of regions");
}

/* By loads alone, as the header says. */
static int seen_outside(void) {
  const tulle_outside *where = tulle_where_outside();
  const char *record = *(const char *const *)((const char *)__builtin_thread_pointer() + where->word);
  if ((intptr_t)record <= 0) return record == NULL && *where->guests == 0;
  return *(const uint32_t *)(*(const char *const *)(record + where->team) + where->level) == 0;
}

static void regions_are_seen(int threads) {
  atomic_int outside_seen = 0;
  expect(seen_outside(), "outside of regions is seen by loads");
#pragma omp parallel num_threads(threads)
  {
    if (seen_outside()) atomic_fetch_add(&outside_seen, 1);
#pragma omp barrier
#pragma omp task shared(outside_seen)
    if (seen_outside()) atomic_fetch_add(&outside_seen, 1);
#pragma omp parallel num_threads(2)
    if (seen_outside()) atomic_fetch_add(&outside_seen, 1);
  }
  expect(atomic_load(&outside_seen) == 0, "members, tasks and nested members are in regions");
  expect(seen_outside(), "outside again");
}

int main(int argc, char **argv) {
  int threads = argc > 1 ? atoi(argv[1]) : 2;
  if (!tulle_can_suspend) {
    puts("elsewhere");
    return 0;
  }
  expect(!tulle_can_suspend() && tulle_current_task() == NULL, "nothing can suspend outside of regions");
  regions_are_seen(threads);
  calls_take_no_os_threads(threads);
  tulle_expect_suspensions();
  expect(tulle_register_poller(tell, &outside), "a poller");
  for (int round = 0; round < 3; ++round) {
    all_tasks_wait(threads);
    tasks_of_tasks_wait(threads);
    alone_or_not(threads);
    if (threads <= 16) alone_beside_waiters(threads); /* the mates of larger teams are not looked at */
    all_threads_wait(threads);
    holders_of_locks_wait(threads);
    holder_waits_for_another(threads);
    stranger_resumes(threads);
    end_is_held(threads);
    if (threads <= 2) told_between_tasks(threads);  /* with more a busy machine is as late */
    all_look(threads);
    calls_are_not_left(threads);
  }
  puts("told");
  return 0;
}
