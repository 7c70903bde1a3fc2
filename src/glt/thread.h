// SPDX-License-Identifier: Apache-2.0
// A thread of GLT: an OS thread with a runqueue of its own. Nobody else resumes its units, so a unit registers where
// it waits before its context is saved: who wakes it only puts it into the inbox.
//
// Ordering: make_ready's exchange of the inbox (sequentially consistent), then its look at `asleep`, pair with the
// thread's store of `asleep`, then its look at the inbox: one of the two sees the other.
#pragma once

#include "arch/current.h"
#include "base/cacheline.h"
#include "base/look.h"
#include "glt/unit.h"

namespace tulle::glt {

inline constexpr int kMaxThreads = 1024;

struct TULLE_PAIR_ALIGNED Thread {
  // R, W: the thread alone.
  UnitList ready;
  Unit* running = nullptr;
  memory::Stack* stack = nullptr;  // on which it runs
  ult::StackContext loop{};        // its parked loop; `context` null: none
  Unit* handed = nullptr;          // what the loop calls first when it goes on
  Unit* free_units = nullptr;
  uint32_t free_count = 0;
  int number = 0;
  memory::Stack native_stack{};
  void* native_context = nullptr;  // where its OS thread ends
  Unit root;                       // thread 0: the frames that called glt_init()
  // W: the thread; R: glt_finalize(), as sums.
  std::atomic<uint64_t> created{0};
  std::atomic<uint64_t> ended{0};

  // W: anybody.
  TULLE_PAIR_ALIGNED std::atomic<Unit*> inbox{nullptr};
  std::atomic<uint32_t> asleep{0};  // futex word
  std::atomic<bool> disabled{false};
  std::atomic<bool> ending{false};

  // Of the thread itself: what runs next, null if nothing is ready.
  Unit* take() {
    // Relaxed: an exchange decides what came in, and the other is a setting.
    if (TULLE_UNLIKELY(inbox.load(std::memory_order_relaxed) != nullptr || disabled.load(std::memory_order_relaxed)))
      look_around();
    Unit* unit = ready.pop_front();
    if (TULLE_LIKELY(unit != nullptr)) set_looked_at(unit->queue, nullptr);
    return unit;
  }
  // Of the thread itself: does not return before something may be ready.
  void idle();
  // Of the thread itself.
  void push(Unit* unit) {
    set_looked_at(unit->queue, this);
    ready.push_back(unit);
  }
  // Whether it is in the runqueue, and out of it. Only this thread enters itself as a unit's queue.
  bool holds(const Unit* unit) const { return look(unit->queue) == this; }
  void remove(Unit* unit) {
    set_looked_at(unit->queue, nullptr);
    ready.remove(unit);
  }
  // Any OS thread: into the inbox.
  void send(Unit* unit);
  void wake();

 private:
  TULLE_COLD void look_around();
  void empty_inbox();
  void forward();
};

extern Thread* threads[kMaxThreads];
// W of these three: glt_init() and glt_finalize(), while there is one thread.
extern int thread_count;       // 0: not started
extern bool more_than_cores;   // who looks for work lets other threads go first
extern bool exceptions_known;  // the process has a C++ runtime, whose state for each thread travels

// Null: the OS thread is none of GLT's.
inline Thread* current_thread() { return static_cast<Thread*>(arch::current_pointer()); }

// The thread that runs the caller, or the end of the process with a message.
[[noreturn]] TULLE_COLD void not_of_glt(const char* function);
inline Thread* thread_or_end(const char* function) {
  Thread* t = current_thread();
  if (TULLE_UNLIKELY(t == nullptr)) not_of_glt(function);
  return t;
}
Thread* thread_by_number(const char* function, int number);

// Any OS thread: a unit that has not begun, or that waits, goes on at its thread.
inline void make_ready(Unit* unit) {
  Thread* t = unit->thread;
  if (t == current_thread())
    t->push(unit);
  else
    t->send(unit);
}

// Of the unit that runs on `t`: it is in a list from which somebody makes it ready, maybe already.
TULLE_MAY_SUSPEND void wait(Thread* t);
// Lets what is ready go first; `next` of that first, if it is at the same thread.
TULLE_MAY_SUSPEND void give_way(Thread* t, Unit* next);
TULLE_MAY_SUSPEND void migrate(Thread* from, Thread* to);
// A unit of t's that has not begun is called on the stack of its joiner, which runs.
TULLE_MAY_SUSPEND void call_on_top(Thread* t, Unit* unit);
// The unit that runs here is over.
[[noreturn]] void end_running();

// A stack with a loop that begins by calling t->handed.
ult::StackContext fresh_loop(Thread* t);
// Code of a thread's OS thread.
void* thread_main(void* thread);

}  // namespace tulle::glt
