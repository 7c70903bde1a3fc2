/* SPDX-License-Identifier: Apache-2.0
 * What each generated program stands on: the Context that both passes add to, checks, ways to pass
 * the time, and the main function that runs a table of programs, alone or two at once from two
 * pthreads, with a time limit for each. For C17 and C++20. */
#ifndef TULLE_TESTS_FUZZ_SUPPORT_H
#define TULLE_TESTS_FUZZ_SUPPORT_H

#include <execinfo.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "tulle/graph.h"
#ifdef __cplusplus
#include <exception>
#endif

enum { SLOTS = 16, GUARDED = 12 };

#ifdef __clang__  /* which asks libatomic for a long double */
typedef double Wide;
#else
typedef long double Wide;
#endif

typedef struct Context {
  uint64_t slots[SLOTS];
  uint64_t guarded[GUARDED];  /* changed under a lock only, with no atomic operation */
  omp_lock_t locks[3];
  omp_nest_lock_t nests[3];
  Wide wide[4];               /* too wide for the processor's atomic operations under GCC */
  int64_t objects;            /* C++ objects that live */
  int seed;
} Context;

typedef struct Program {
  int seed;
  void (*parallel)(Context *c, int T);
  void (*sequential)(Context *c, int T);
} Program;

static volatile int running[2];

__attribute__((noreturn, unused)) static void failed(int seed, const char *what) {
  char text[200];
  int n = snprintf(text, sizeof text, "seed %d: %s\n", seed, what);
  if (write(2, text, (size_t)n) != n) _exit(4);
  _exit(1);
}

#define CHECK(condition, what) ((condition) ? (void)0 : failed(c->seed, what))

/* A number that the compiler does not know. Clang's vectorised loops read an array to where it ends, under conditions
 * too that do not hold there: of one that is mapped in part, over the end of what the device has. */
__attribute__((unused)) static int unknown(int number) {
  __asm__("" : "+r"(number));
  return number;
}

static inline uint64_t mix(uint64_t a, uint64_t b) {
  uint64_t x = a * 0x9e3779b97f4a7c15u + b;
  x ^= x >> 29;
  return x * 0xbf58476d1ce4e5b9u;
}

static inline void add(Context *c, int slot, uint64_t value) {
  __atomic_fetch_add(&c->slots[slot], value, __ATOMIC_RELAXED);
}

// Of a region whose tasks share what is alive where it is met: no other thread's, no other time's.
__attribute__((unused)) static inline int new_graph(void) {
  static int number;
  return __atomic_add_fetch(&number, 1, __ATOMIC_RELAXED);
}

__attribute__((unused)) static inline void count_one(int *counter) { __atomic_fetch_add(counter, 1, __ATOMIC_RELEASE); }

static inline uint64_t nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

__attribute__((unused)) static void spin_for(uint64_t ns) {
  uint64_t end = nanoseconds() + ns;
  while (nanoseconds() < end) {
  }
}

/* Ways to look at a flag that somebody else will raise. */
static inline int look_plainly(const int *flag) { return __atomic_load_n(flag, __ATOMIC_ACQUIRE) != 0; }

__attribute__((unused)) static int look_in_region(const int *flag) {
  int seen = 0;
#pragma omp parallel num_threads(2) reduction(+ : seen)
  seen += look_plainly(flag);
  return seen != 0;
}

__attribute__((unused)) static int look_in_loop(const int *flag) {
  int seen = 0;
#pragma omp parallel for num_threads(3) schedule(dynamic) reduction(+ : seen)
  for (int i = 0; i < 5; i++) seen += look_plainly(flag);
  return seen == 5;
}

__attribute__((unused)) static int look_in_critical(const int *flag) {
  int seen;
#pragma omp critical(look)
  seen = look_plainly(flag);
  return seen;
}

__attribute__((unused)) static int look_in_task(const int *flag) {
  int seen = 0;
#pragma omp task shared(seen)
  seen = look_plainly(flag);
#pragma omp taskwait
  return seen;
}

__attribute__((unused)) static int look_after_taskyield(const int *flag) {
#pragma omp taskyield
  return look_plainly(flag);
}

__attribute__((unused)) static int look_after_sched_yield(const int *flag) {
  sched_yield();
  return look_plainly(flag);
}

/* What tasks carry, and what reductions of the program's own combine. */
typedef struct Block {
  uint64_t words[67];
} Block;

typedef struct Line {
  uint64_t words[8];
} __attribute__((aligned(64))) Line;

typedef struct Pair {
  uint64_t sum, parity;
} Pair;

#pragma omp declare reduction(merge: Pair: omp_out.sum += omp_in.sum, omp_out.parity ^= omp_in.parity) \
    initializer(omp_priv = {0, 0})

/* What has data of its own on a device. */
typedef struct Pointing {
  uint64_t count;
  uint64_t *words;
  uint64_t salt;
} Pointing;

#define WORDS(v) (int)(sizeof (v).words / sizeof (v).words[0])

__attribute__((unused)) static void fill_words(uint64_t *words, int count, uint64_t value) {
  for (int i = 0; i < count; i++) words[i] = mix(value, (uint64_t)i);
}

__attribute__((unused)) static uint64_t sum_words(const uint64_t *words, int count) {
  uint64_t sum = 0;
  for (int i = 0; i < count; i++) sum += mix(words[i], (uint64_t)i);
  return sum;
}

__attribute__((unused)) static void move_words(uint64_t *to, const uint64_t *from, int first, int count) {
  memcpy(to + first, from + first, (size_t)count * sizeof *to);
}

#ifdef __cplusplus
struct Fault { unsigned value; };
struct Other { unsigned value; };

class Object {  /* counts itself, and knows whether it is the copy that it should be */
 public:
  Object(Context *c, uint64_t value) : c_(c), value_(value), check_(mix(value, 1)) { alive(1); }
  Object(const Object &other) : c_(other.c_), value_(other.value()), check_(other.check_) { alive(1); }
  ~Object() {
    value();
    check_ = 0;
    alive(-1);
  }
  uint64_t value() const {
    if (check_ != mix(value_, 1)) failed(c_->seed, "an object that does not live");
    return value_;
  }

 private:
  void alive(int change) { __atomic_fetch_add(&c_->objects, change, __ATOMIC_RELAXED); }
  Context *c_;
  uint64_t value_, check_;
};
#endif

/* Thread-local data: each region marks its threads' and finds the marks at its end. */
#ifdef FUZZ_THREAD_LOCALS
static uint64_t own_value;
#pragma omp threadprivate(own_value)
#define OWN_ENTER(id, t)               \
  const uint64_t own_before = own_value; \
  uint64_t *const own_address = &own_value; \
  own_value = mix(id, t)
#define OWN_LEAVE(id, t)                                                  \
  CHECK(own_address == &own_value, "a threadprivate variable has moved"); \
  CHECK(own_value == mix(id, t), "a threadprivate variable has changed"); \
  own_value = own_before
#else
#define OWN_ENTER(id, t) (void)0
#define OWN_LEAVE(id, t) (void)0
#endif

/* A pthread that is none of OpenMP's fulfills events. */
static pthread_mutex_t event_mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t event_added = PTHREAD_COND_INITIALIZER;
static omp_event_handle_t events[4096];
static unsigned events_in, events_out;

__attribute__((unused)) static void fulfill_from_thread(omp_event_handle_t event) {
  pthread_mutex_lock(&event_mutex);
  events[events_in++ % 4096] = event;
  pthread_cond_signal(&event_added);
  pthread_mutex_unlock(&event_mutex);
}

static void *fulfiller(void *unused) {
  (void)unused;
  for (;;) {
    pthread_mutex_lock(&event_mutex);
    while (events_in == events_out) pthread_cond_wait(&event_added, &event_mutex);
    omp_event_handle_t event = events[events_out++ % 4096];
    pthread_mutex_unlock(&event_mutex);
    omp_fulfill_event(event);
  }
  return NULL;
}

static long fib_sequential(int n) { return n < 2 ? n : fib_sequential(n - 1) + fib_sequential(n - 2); }


__attribute__((unused)) static long fib_tied(int n) {
  long x, y;
  if (n < 2) return n;
#pragma omp task shared(x) firstprivate(n)
  x = fib_tied(n - 1);
#pragma omp task shared(y) firstprivate(n)
  y = fib_tied(n - 2);
#pragma omp taskwait
  return x + y;
}

__attribute__((unused)) static long fib_untied(int n) {
  long x, y;
  if (n < 2) return n;
#pragma omp task untied shared(x) firstprivate(n)
  x = fib_untied(n - 1);
#pragma omp task untied shared(y) firstprivate(n)
  y = fib_untied(n - 2);
#pragma omp taskwait
  return x + y;
}

__attribute__((unused)) static long fib_group(int n) {
  long x, y;
  if (n < 2) return n;
#pragma omp taskgroup
  {
#pragma omp task shared(x) firstprivate(n)
    x = fib_group(n - 1);
    y = fib_group(n - 2);
  }
  return x + y;
}

__attribute__((unused)) static void tree_sequential(Context *c, int slot, int depth, uint64_t id) {
  add(c, slot, mix(id, (uint64_t)depth));
  if (depth == 0) return;
  tree_sequential(c, slot, depth - 1, id * 2);
  tree_sequential(c, slot, depth - 1, id * 2 + 1);
}

__attribute__((unused)) static void tree_unwaited(Context *c, int slot, int depth, uint64_t id) {
  add(c, slot, mix(id, (uint64_t)depth));
  if (depth == 0) return;
#pragma omp task untied firstprivate(c, slot, depth, id)
  tree_unwaited(c, slot, depth - 1, id * 2);
#pragma omp task firstprivate(c, slot, depth, id)
  tree_unwaited(c, slot, depth - 1, id * 2 + 1);
}

static void print_frames(void) {
  void *frames[24];
  backtrace_symbols_fd(frames, backtrace(frames, 24), 2);
}

static void caught_signal(int number, siginfo_t *about, void *context) {
  (void)context;
  const int crashed = number != SIGALRM;
  char text[160];
  int n = snprintf(text, sizeof text, "seed %d: %s (beside seed %d), signal %d at %p\n", running[0],
                   crashed ? "crash" : "no end", running[1], number, crashed ? about->si_addr : NULL);
  if (write(2, text, (size_t)n) != n) _exit(4);
  if (crashed) print_frames();
  if (getenv("FUZZ_STOP") != NULL)  /* for a debugger */
    for (;;) pause();
  _exit(crashed ? 2 : 3);
}

static void prepare(Context *c, const Program *program) {
  memset(c, 0, sizeof *c);
  c->seed = program->seed;
  for (int i = 0; i < 3; i++) {
    omp_init_lock(&c->locks[i]);
    omp_init_nest_lock(&c->nests[i]);
  }
}

static void run_program(const Program *program, int threads, int rounds) {
  Context *wanted = (Context *)malloc(sizeof(Context));
  Context *c = (Context *)malloc(sizeof(Context));
  prepare(wanted, program);
  program->sequential(wanted, threads);
  for (int round = 0; round < rounds; round++) {
    prepare(c, program);
    program->parallel(c, threads);
    for (int i = 0; i < SLOTS; i++) CHECK(c->slots[i] == wanted->slots[i], "wrong sum");
    for (int i = 0; i < GUARDED; i++) CHECK(c->guarded[i] == wanted->guarded[i], "a lock let two in");
    for (int i = 0; i < 4; i++) CHECK(c->wide[i] == wanted->wide[i], "an atomic update was lost");
    CHECK(c->objects == 0, "objects that nobody destroyed, or twice");
  }
  free(wanted);
  free(c);
}

typedef struct Side {
  const Program *program;
  int threads, rounds;
} Side;

__attribute__((unused)) static void *run_side(void *argument) {
  Side *side = (Side *)argument;
  omp_set_dynamic(0);
  omp_set_max_active_levels(8);
  run_program(side->program, side->threads, side->rounds);
  return NULL;
}

static void run_alone_or_beside(const Program *program, const Program *beside, int threads, int rounds) {
  if (beside == NULL) {
    run_program(program, threads, rounds);
    return;
  }
  Side side = {beside, threads, rounds};
  running[1] = beside->seed;
  pthread_t other;
  if (pthread_create(&other, NULL, run_side, &side) != 0) _exit(5);
  run_program(program, threads, rounds);
  pthread_join(other, NULL);
}

static void catch_signals(void) {
  struct sigaction action;
  memset(&action, 0, sizeof action);
  action.sa_sigaction = caught_signal;
  action.sa_flags = SA_SIGINFO;
  const int numbers[] = {SIGALRM, SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) sigaction(numbers[i], &action, NULL);
  void *frame;
  backtrace(&frame, 1);  /* loads what it needs */
}

/* usage: PROGRAM ROUNDS SECONDS alone|pairs THREADS[,THREADS...] [SEED]
 * All programs, or one, at each thread count; so many seconds for each program. */
static int fuzz_main(const Program *programs, int count, int argc, char **argv) {
  if (argc < 5) return 6;
  int rounds = atoi(argv[1]);
  int pairs = strcmp(argv[3], "pairs") == 0;
  int only = argc > 5 ? atoi(argv[5]) : -1;
  pthread_t thread;
  catch_signals();
  omp_set_dynamic(0);
  omp_set_max_active_levels(8);
  if (pthread_create(&thread, NULL, fulfiller, NULL) != 0) return 5;
  for (int i = 0; i < count; i++) {
    if (only >= 0 && programs[i].seed != only) continue;
    running[0] = programs[i].seed;
    alarm((unsigned)atoi(argv[2]));
    for (const char *threads = argv[4]; threads != NULL; threads = strchr(threads, ',')) {
      threads += *threads == ',';
      run_alone_or_beside(&programs[i], pairs ? &programs[(i + 1) % count] : NULL, atoi(threads), rounds);
    }
  }
  return 0;
}

#endif
