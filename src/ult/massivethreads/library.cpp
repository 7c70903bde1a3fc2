// SPDX-License-Identifier: Apache-2.0
// MassiveThreads: its workers are all made at the start. Each asks once for a thread to steal, and gets the one that
// runs `main`; from then on a worker's queue holds what it is to go over to at once, and nobody steals.
#include "ult/library.h"

#include <myth/myth.h>
#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <utility>

#include "os/futex.h"
#include "os/report.h"

namespace tulle::ult::library {

namespace {

Main* the_main = nullptr;
myth_thread_t* mains = nullptr;  // by the worker's rank; W: start, then the worker
std::atomic<uint32_t> made{0};   // futex word: they are there

void check(int error, const char* what) {
  if (error != 0) os::fatal("MassiveThreads: %s failed (%d)", what, error);
}

void* run_main(void*) {
  the_main();
  return nullptr;
}

myth_thread_t take_main(int rank) {
  while (made.load(std::memory_order_acquire) == 0) os::futex_wait(made, 0);  // pairs with start
  return std::exchange(mains[rank], nullptr);
}

myth_uncond_t* word(Thread& thread) {
  static_assert(sizeof(myth_uncond_t) == sizeof thread.word);
  return reinterpret_cast<myth_uncond_t*>(&thread.word);
}

void* begin_call(void* given) {
  call(given);
  return nullptr;
}

// It is first in the worker's queue.
myth_thread_t make(myth_func_t run, void* argument) {
  myth_thread_attr_t attributes{};
  attributes.child_first = 0;
  myth_thread_t thread;
  check(myth_create_ex(&thread, &attributes, run, argument), "myth_create_ex");
  return thread;
}

// Workers would have handlers of their own for signals that are the program's.
void init_without_handlers(myth_globalattr_t* attributes) {
  struct sigaction alarm, virtual_alarm;
  sigaction(SIGALRM, nullptr, &alarm);
  sigaction(SIGVTALRM, nullptr, &virtual_alarm);
  myth_init_ex(attributes);
  sigaction(SIGALRM, &alarm, nullptr);
  sigaction(SIGVTALRM, &virtual_alarm, nullptr);
}

}  // namespace

void start(Main* main, uint32_t others) {
  the_main = main;
  mains = static_cast<myth_thread_t*>(calloc(others + 1, sizeof *mains));
  if (mains == nullptr) os::fatal("no memory to begin MassiveThreads");
  myth_globalattr_t attributes;
  check(myth_globalattr_init(&attributes), "myth_globalattr_init");
  check(myth_globalattr_set_n_workers(&attributes, others + 1), "myth_globalattr_set_n_workers");
  check(myth_globalattr_set_bind_workers(&attributes, 0), "myth_globalattr_set_bind_workers");
  check(myth_globalattr_set_stacksize(&attributes, kStack), "myth_globalattr_set_stacksize");
  myth_wsapi_set_stealfunc(take_main);
  init_without_handlers(&attributes);
  for (uint32_t rank = 1; rank <= others; ++rank) {
    make(run_main, nullptr);
    mains[rank] = myth_wsapi_runqueue_pop();
  }
  made.store(1, std::memory_order_release);  // pairs with take_main
  os::futex_wake(made, INT32_MAX);
}

void name(Thread& self) { check(myth_uncond_init(word(self)), "myth_uncond_init"); }

void go(Thread& from, Thread& to) {
  myth_uncond_signal(word(to));
  myth_uncond_wait(word(from));
}

void begin(Thread& from, Thread& made_now, void (*run)(void*), void* argument) {
  Call given{run, argument};
  name(made_now);
  myth_detach(make(begin_call, &given));
  myth_uncond_wait(word(from));
}

}  // namespace tulle::ult::library
