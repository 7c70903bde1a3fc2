// SPDX-License-Identifier: Apache-2.0
// Qthreads: OS threads are shepherds of one worker each, all made at the start. A thread waits until its own word is
// full, and whoever fills that puts it into the queue of the shepherd at hand, behind nothing.
#include "ult/library.h"

#include <qthread/qthread.h>

#include <cstdio>
#include <cstdlib>

#include "arch/context.h"
#include "memory/stack_pool.h"
#include "os/report.h"

namespace tulle::ult::library {

namespace {

Main* the_main = nullptr;

void check(int error, const char* what) {
  if (error != 0) os::fatal("Qthreads: %s failed (%d)", what, error);
}

aligned_t run_main(void*) {
  the_main();
  return 0;
}

aligned_t* word(Thread& thread) {
  static_assert(sizeof(aligned_t) == sizeof thread.word);
  return reinterpret_cast<aligned_t*>(&thread.word);
}

aligned_t begin_call(void* given) {
  // Else it would be sent home to where it was made.
  check(qthread_migrate_to(NO_SHEPHERD), "qthread_migrate_to");
  call(given);
  return 0;
}

void wait(Thread& from) { check(qthread_readFE(nullptr, word(from)), "qthread_readFE"); }

// What the library takes from its environment, and from nowhere else.
void set(const char* name, size_t value) {
  char text[24];
  snprintf(text, sizeof text, "%zu", value);
  setenv(name, text, 1);
}

// Of whoever begins the library.
void* beginner = nullptr;

aligned_t resume_beginner(void*) {
  check(qthread_migrate_to(NO_SHEPHERD), "qthread_migrate_to");
  void* unused;
  arch::tulle_context_switch(&unused, beginner, nullptr, nullptr);
  __builtin_unreachable();
}

// The library's first thread never leaves its OS thread. So it has nothing but these frames, and those of the
// beginner go on on a thread as the others.
void be_first(void*) {
  check(qthread_initialize(), "qthread_initialize");
  check(qthread_fork_to(resume_beginner, nullptr, nullptr, 0), "qthread_fork_to");
  Thread never;
  name(never);
  wait(never);
  __builtin_unreachable();
}

}  // namespace

void start(Main* main, uint32_t others) {
  the_main = main;
  set(kCount, others + 1);
  set("QT_HWPAR", others + 1);
  set("QT_NUM_WORKERS_PER_SHEPHERD", 1);
  set("QT_STACK_SIZE", kStack);
  set("QT_AFFINITY", 0);
  memory::Stack* stack = memory::take_stack();
  if (stack == nullptr) os::fatal("no memory to begin Qthreads");
  arch::tulle_context_switch(&beginner, arch::make_context(stack->top(), be_first, nullptr), nullptr, nullptr);
  if (qthread_num_shepherds() != others + 1)
    os::fatal("Qthreads has %u shepherds of %u", static_cast<unsigned>(qthread_num_shepherds()), others + 1);
  for (uint32_t i = 1; i <= others; ++i)
    check(qthread_fork_to(run_main, nullptr, nullptr, static_cast<qthread_shepherd_id_t>(i)), "qthread_fork_to");
}

void name(Thread& self) { check(qthread_empty(word(self)), "qthread_empty"); }

void go(Thread& from, Thread& to) {
  check(qthread_fill(word(to)), "qthread_fill");
  wait(from);
}

void begin(Thread& from, Thread& made, void (*run)(void*), void* argument) {
  Call given{run, argument};
  name(made);
  check(qthread_fork_to(begin_call, &given, nullptr, qthread_shep()), "qthread_fork_to");
  wait(from);
}

}  // namespace tulle::ult::library
