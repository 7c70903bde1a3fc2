// SPDX-License-Identifier: Apache-2.0
// User-level threads of a program's own, by ucontext: fibers in one queue, carried by as many OS threads as the
// test wants. A fiber that yields goes on on whichever of them comes to it first. For C17 and C++20.
#ifndef TULLE_TESTS_FIBERS_H
#define TULLE_TESTS_FIBERS_H

#include <pthread.h>
#include <stdlib.h>
#include <ucontext.h>

#include "expect.h"
#include "tulle/host.h"

typedef struct fiber {
  ucontext_t context;
  struct fiber *next;  // in the queue
  void (*function)(void *argument);
  void *argument;
  void *word;
  char *stack;
  size_t bytes;
  int woken, parked;
} fiber;

enum fiber_departure { FIBER_YIELDS, FIBER_WAITS, FIBER_ENDS };

// An OS thread that carries fibers.
typedef struct carrier {
  ucontext_t context;
  fiber *running;
  enum fiber_departure departure;
} carrier;

static pthread_mutex_t fibers_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t fibers_changed = PTHREAD_COND_INITIALIZER;
static fiber *fibers_first, *fibers_last;
static int fibers_alive;
static size_t fiber_stack_bytes = 256 * 1024;
static __thread carrier *fibers_carrier;

// Never inlined: the address of a thread-local variable must not live across a switch.
__attribute__((noinline, unused)) static carrier *this_carrier(void) {
  __asm__ volatile("");
  return fibers_carrier;
}

__attribute__((noinline, unused)) static void set_carrier(carrier *self) {
  __asm__ volatile("");
  fibers_carrier = self;
}

__attribute__((unused)) static fiber *this_fiber(void) {
  carrier *self = this_carrier();
  return self != NULL ? self->running : NULL;
}

// Under the lock.
static void queue_fiber(fiber *ready) {
  ready->next = NULL;
  if (fibers_last != NULL)
    fibers_last->next = ready;
  else
    fibers_first = ready;
  fibers_last = ready;
  pthread_cond_signal(&fibers_changed);
}

static void leave_fiber(enum fiber_departure departure) {
  carrier *self = this_carrier();
  fiber *leaving = self->running;
  self->departure = departure;
  swapcontext(&leaving->context, &self->context);
}

__attribute__((unused)) static void fiber_yield(void) { leave_fiber(FIBER_YIELDS); }

// Members of a fiber's region run elsewhere too, where there is none to yield.
__attribute__((unused)) static void fiber_yield_if_here(void) {
  if (this_fiber() != NULL) fiber_yield();
}

static void fiber_entry(void) {
  fiber *self = this_fiber();
  self->function(self->argument);
  leave_fiber(FIBER_ENDS);
}

__attribute__((unused)) static fiber *spawn_fiber(void (*function)(void *), void *argument) {
  fiber *made = (fiber *)calloc(1, sizeof *made);
  made->function = function;
  made->argument = argument;
  made->bytes = fiber_stack_bytes;
  made->stack = (char *)malloc(made->bytes);
  getcontext(&made->context);
  made->context.uc_stack.ss_sp = made->stack;
  made->context.uc_stack.ss_size = made->bytes;
  made->context.uc_link = NULL;
  makecontext(&made->context, fiber_entry, 0);
  pthread_mutex_lock(&fibers_lock);
  ++fibers_alive;
  queue_fiber(made);
  pthread_mutex_unlock(&fibers_lock);
  return made;
}

// On the carrier's stack, under the lock: the fiber has left its own.
static void settle_fiber(fiber *left, enum fiber_departure departure) {
  if (departure == FIBER_YIELDS || (departure == FIBER_WAITS && left->woken)) {
    queue_fiber(left);
  } else if (departure == FIBER_WAITS) {
    left->parked = 1;
  } else {
    --fibers_alive;
    pthread_cond_broadcast(&fibers_changed);
  }
}

// Carries fibers until none is left. By any number of OS threads at once.
__attribute__((unused)) static void *carry_fibers(void *unused) {
  carrier self = {.running = NULL};
  set_carrier(&self);
  pthread_mutex_lock(&fibers_lock);
  for (;;) {
    while (fibers_first == NULL && fibers_alive != 0) pthread_cond_wait(&fibers_changed, &fibers_lock);
    if (fibers_first == NULL) break;
    fiber *next = fibers_first;
    fibers_first = next->next;
    if (fibers_first == NULL) fibers_last = NULL;
    pthread_mutex_unlock(&fibers_lock);
    self.running = next;
    swapcontext(&self.context, &next->context);
    self.running = NULL;
    if (self.departure == FIBER_ENDS && next->word != NULL) tulle_guest_ended(next->word);
    pthread_mutex_lock(&fibers_lock);
    settle_fiber(next, self.departure);
    if (self.departure == FIBER_ENDS) {
      free(next->stack);
      free(next);
    }
  }
  pthread_mutex_unlock(&fibers_lock);
  set_carrier(NULL);
  return unused;
}

// By `carriers` OS threads, the caller's among them.
__attribute__((unused)) static void run_fibers(int carriers) {
  pthread_t others[64];
  for (int i = 1; i < carriers; ++i) EXPECT_EQ(pthread_create(&others[i], NULL, carry_fibers, NULL), 0);
  carry_fibers(NULL);
  for (int i = 1; i < carriers; ++i) pthread_join(others[i], NULL);
}

// The host; nobody is told of it on another runtime.
static void *host_self(void) { return this_fiber(); }
static void *host_get(void) { return this_fiber()->word; }
static void host_set(void *word) { this_fiber()->word = word; }

static void *host_waiter(void) {
  fiber *self = this_fiber();
  self->woken = self->parked = 0;
  return self;
}

static void host_wait(void *waiter) {
  pthread_mutex_lock(&fibers_lock);
  int woken = ((fiber *)waiter)->woken;
  pthread_mutex_unlock(&fibers_lock);
  if (!woken) leave_fiber(FIBER_WAITS);
}

static void host_wake(void *waiter) {
  fiber *sleeper = (fiber *)waiter;
  pthread_mutex_lock(&fibers_lock);
  sleeper->woken = 1;
  if (sleeper->parked) {
    sleeper->parked = 0;
    queue_fiber(sleeper);
  }
  pthread_mutex_unlock(&fibers_lock);
}

static int host_stack(void *thread, void **lowest, size_t *bytes) {
  fiber *asked = (fiber *)thread;
  *lowest = asked->stack;
  *bytes = asked->bytes;
  return 1;
}

__attribute__((unused)) static tulle_ult_host describe_fibers(void) {
  tulle_ult_host host;
  host.size = sizeof host;
  host.self = host_self;
  host.get = host_get;
  host.set = host_set;
  host.waiter = host_waiter;
  host.wait = host_wait;
  host.wake = host_wake;
  host.stack = host_stack;
  return host;
}

__attribute__((unused)) static void register_fibers(void) {
  tulle_ult_host host = describe_fibers();
  if (tulle_register_host != NULL) EXPECT_EQ(tulle_register_host(&host), 0);
}

#endif
