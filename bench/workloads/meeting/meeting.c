// SPDX-License-Identifier: Apache-2.0
// Members of a region that meet by means of their own, of which the runtime is told nothing: a barrier of flags
// with and without sched_yield(), sections and nested members that spin for each other, polling by regions, by
// taskyield and by critical sections, and the waits of the C library. A repetition is one region in which all
// members meet; the time is that of the region.
#define _GNU_SOURCE
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "measure.h"

enum { INNER = 2, TURNS = 200, MUTEX_TURNS = 20 };

typedef struct Meeting {
  _Alignas(LINE) int arrived;
  _Alignas(LINE) int phase;
} Meeting;

static inline int look(const int *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE); }
static inline int add(int *number) { return __atomic_add_fetch(number, 1, __ATOMIC_ACQ_REL); }
static inline void set(int *flag, int value) { __atomic_store_n(flag, value, __ATOMIC_RELEASE); }

// The last one lets the others go.
static inline bool arrives_last(Meeting *meeting, int members) {
  if (add(&meeting->arrived) < members) return false;
  set(&meeting->arrived, 0);
  set(&meeting->phase, look(&meeting->phase) + 1);
  return true;
}

static void meet_by_flags(Meeting *meeting, int members) {
  int phase = look(&meeting->phase);
  if (arrives_last(meeting, members)) return;
  while (look(&meeting->phase) == phase) {
  }
}

static void meet_by_yields(Meeting *meeting, int members) {
  int phase = look(&meeting->phase);
  if (arrives_last(meeting, members)) return;
  while (look(&meeting->phase) == phase) sched_yield();
}

static Meeting all;
static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

// Repetitions of `member`, which every member of a region runs, each seen to have run as often.
static double regions(long inner, void (*member)(int self)) {
  clear_counters();
  double t = now();
  for (long r = 0; r < inner; r++) {
#pragma omp parallel
    {
      member(omp_get_thread_num());
      counters[omp_get_thread_num()].n++;
    }
  }
  t = now() - t;
  return checked(t, sum_counters() == inner * team_size);
}

static void by_flags(int self) {
  (void)self;
  meet_by_flags(&all, team_size);
}

static void by_yields(int self) {
  (void)self;
  meet_by_yields(&all, team_size);
}

static void by_pthread_barrier(int self) {
  (void)self;
  pthread_barrier_wait(&barrier);
}

static void by_condition(int self) {
  (void)self;
  pthread_mutex_lock(&mutex);
  int phase = all.phase;
  if (arrives_last(&all, team_size))
    pthread_cond_broadcast(&changed);
  else
    while (all.phase == phase) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
}

// Each waits for the one after it, as a chain of futures does.
typedef struct Promise {
  _Alignas(LINE) pthread_mutex_t mutex;
  pthread_cond_t changed;
  int kept;
} Promise;
static Promise promises[MAX_THREADS + 1];

static void keep_promise(Promise *promise) {
  pthread_mutex_lock(&promise->mutex);
  promise->kept = 1;
  pthread_cond_broadcast(&promise->changed);
  pthread_mutex_unlock(&promise->mutex);
}

static void await_promise(Promise *promise) {
  pthread_mutex_lock(&promise->mutex);
  while (!promise->kept) pthread_cond_wait(&promise->changed, &promise->mutex);
  promise->kept = 0;
  pthread_mutex_unlock(&promise->mutex);
}

static void by_futures(int self) {
  if (self + 1 < team_size) await_promise(&promises[self + 1]);
  keep_promise(&promises[self]);
  if (self == 0) await_promise(&promises[0]);
}

// The first member writes to a pipe of each other one, which each answers.
static int pipes[MAX_THREADS][2], answers[2], watches[MAX_THREADS];

static void by_epoll(int self) {
  char byte = 0;
  if (self == 0) {
    for (int i = 1; i < team_size; i++)
      if (write(pipes[i][1], &byte, 1) != 1) return;
    for (int i = 1; i < team_size; i++)
      if (read(answers[0], &byte, 1) != 1) return;
    return;
  }
  struct epoll_event event;
  while (epoll_wait(watches[self], &event, 1, -1) != 1) {
  }
  if (read(pipes[self][0], &byte, 1) != 1 || write(answers[1], &byte, 1) != 1) return;
}

static double flags(long inner) { return regions(inner, by_flags); }
static double yields(long inner) { return regions(inner, by_yields); }
static double pthread_barriers(long inner) { return regions(inner, by_pthread_barrier); }
static double conditions(long inner) { return regions(inner, by_condition); }
static double futures(long inner) { return regions(inner, by_futures); }
static double epolls(long inner) { return regions(inner, by_epoll); }

static double sections(long inner) {
  double t = now();
  int before = all.phase;
  for (long r = 0; r < inner; r++) {
#pragma omp parallel sections num_threads(4)
    {
#pragma omp section
      meet_by_flags(&all, 4);
#pragma omp section
      meet_by_flags(&all, 4);
#pragma omp section
      meet_by_flags(&all, 4);
#pragma omp section
      meet_by_flags(&all, 4);
    }
  }
  t = now() - t;
  return checked(t, all.phase - before == inner);
}

static double nested(long inner) {
  clear_counters();
  double t = now();
  for (long r = 0; r < inner; r++) {
#pragma omp parallel
    {
      Meeting own = {0, 0};
      int self = omp_get_thread_num();
#pragma omp parallel num_threads(INNER)
      meet_by_flags(&own, INNER);
      counters[self].n += own.phase;
    }
  }
  t = now() - t;
  return checked(t, sum_counters() == inner * team_size);
}

static int open_flag;

// The first member opens a flag; the others look for it between regions of their own.
static void poll_by_regions(int self) {
  if (self == 0) {
    set(&open_flag, 1);
    return;
  }
  while (!look(&open_flag)) {
    long sum = 0;
#pragma omp parallel for num_threads(INNER) reduction(+ : sum)
    for (int i = 0; i < 64; i++) sum += i;
    KEEP(sum);
  }
}

static double polled_regions(long inner) {
  double t = 0;
  for (long r = 0; r < inner; r++) {
    set(&open_flag, 0);
    t += regions(1, poll_by_regions);
  }
  return t;
}

static double polled_taskyield(long inner) {
  bool correct = true;
  double t = now();
  for (long r = 0; r < inner; r++) {
    int answered = 0;
    set(&open_flag, 0);
#pragma omp parallel
#pragma omp single
    {
      for (int i = 1; i < team_size; i++) {
#pragma omp task shared(answered)
        {
          while (!look(&open_flag)) {
#pragma omp taskyield
          }
          add(&answered);
        }
      }
      set(&open_flag, 1);
      while (look(&answered) < team_size - 1) {
#pragma omp taskyield
      }
    }
    correct = correct && answered == team_size - 1;
  }
  return checked(now() - t, correct);
}

static bool takes_turn(int *turn) {
  if (*turn % team_size != omp_get_thread_num()) return false;
  ++*turn;
  return true;
}

static bool looks_in_critical(int *turn) {
  bool own;
#pragma omp critical
  own = takes_turn(turn);
  return own;
}

static bool looks_under_mutex(int *turn) {
  static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&mutex);
  bool own = takes_turn(turn);
  pthread_mutex_unlock(&mutex);
  return own;
}

// Each member has its turn so many times, which it finds by looks under a lock that it takes again at once.
static double turns(long inner, int each, bool (*look_for_own)(int *)) {
  bool correct = true;
  double t = now();
  for (long r = 0; r < inner; r++) {
    int turn = 0;
#pragma omp parallel shared(turn)
    for (int mine = 0; mine < each;) mine += look_for_own(&turn);
    correct = correct && turn == each * team_size;
  }
  return checked(now() - t, correct);
}

static double polled_critical(long inner) { return turns(inner, TURNS, looks_in_critical); }
static double polled_mutex(long inner) { return turns(inner, MUTEX_TURNS, looks_under_mutex); }

static double barriers(long inner) {
  clear_counters();
  double t = now();
#pragma omp parallel
  for (long r = 0; r < inner; r++) {
    counters[omp_get_thread_num()].n++;
#pragma omp barrier
  }
  t = now() - t;
  return checked(t, sum_counters() == inner * team_size);
}

static void set_up_barrier(const Case *c) {
  (void)c;
  pthread_barrier_init(&barrier, NULL, (unsigned)team_size);
}

static void set_up_futures(const Case *c) {
  (void)c;
  for (int i = 0; i <= team_size; i++) {
    pthread_mutex_init(&promises[i].mutex, NULL);
    pthread_cond_init(&promises[i].changed, NULL);
  }
}

static void set_up_epoll(const Case *c) {
  (void)c;
  bool made = pipe(answers) == 0;
  for (int i = 1; i < team_size; i++) {
    struct epoll_event event = {.events = EPOLLIN};
    watches[i] = epoll_create1(0);
    made = made && pipe(pipes[i]) == 0 && epoll_ctl(watches[i], EPOLL_CTL_ADD, pipes[i][0], &event) == 0;
  }
  if (!made) _exit(3);
}

// A machine in which both workers get one core.
static void share_one_core(const Case *c) {
  (void)c;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(sched_getcpu(), &one);
#pragma omp parallel
  sched_setaffinity(0, sizeof one, &one);
}

static const Case cases[] = {
    {.name = "meet_flags", .run = flags},
    {.name = "meet_yields", .run = yields},
    {.name = "meet_sections", .run = sections},
    {.name = "meet_nested", .run = nested, .nested = true},
    {.name = "meet_pthread_barrier", .run = pthread_barriers, .setup = set_up_barrier},
    {.name = "meet_condition", .run = conditions},
    {.name = "meet_futures", .run = futures, .setup = set_up_futures},
    {.name = "meet_epoll", .run = epolls, .setup = set_up_epoll},
    {.name = "meet_polled_regions", .run = polled_regions, .nested = true},
    {.name = "meet_polled_taskyield", .run = polled_taskyield},
    {.name = "meet_polled_critical", .run = polled_critical},
    {.name = "meet_polled_mutex", .run = polled_mutex},
    {.name = "meet_shared_core", .run = barriers, .setup = share_one_core},
    {0},
};

const Case *const case_tables[] = {cases, 0};
