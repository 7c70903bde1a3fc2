// SPDX-License-Identifier: Apache-2.0
#include "glt/thread.h"

#include "base/chain.h"
#include "os/clock.h"
#include "os/futex.h"
#include "os/report.h"

namespace tulle::glt {

Thread* threads[kMaxThreads];
int thread_count = 0;
bool more_than_cores = false;

namespace {

constexpr uint64_t kPatience = 50'000;  // nanoseconds of looking before an OS thread sleeps
constexpr uint32_t kLooks = 64;         // between two looks at the clock

// The next thread behind t that is not disabled; thread 0 never is.
Thread* behind(const Thread* t) {
  int number = t->number;
  do number = (number + 1) % thread_count;
  while (threads[number]->disabled.load(std::memory_order_relaxed));  // relaxed: a setting
  return threads[number];
}

}  // namespace

void not_of_glt(const char* function) {
  if (thread_count == 0) os::fatal("%s: glt_init() was not called", function);
  os::fatal("%s: called by an OS thread that is none of GLT's", function);
}

Thread* thread_by_number(const char* function, int number) {
  if (number < 0 || number >= thread_count)
    os::fatal("%s: there is no thread %d, only 0 to %d", function, number, thread_count - 1);
  return threads[number];
}

void Thread::empty_inbox() {
  Unit* unit = turned_over(inbox.exchange(nullptr, std::memory_order_acquire));  // pairs with send
  while (unit != nullptr) {
    Unit* next = unit->next;
    push(unit);
    unit = next;
  }
}

// All that is ready goes to another thread, but for a unit that looks for work on its own stack.
void Thread::forward() {
  Thread* to = behind(this);
  Unit* stays = nullptr;
  while (Unit* unit = ready.pop_front()) {
    set_looked_at(unit->queue, nullptr);
    if (unit == running) {
      stays = unit;
    } else {
      unit->thread = to;
      to->send(unit);
    }
  }
  if (stays != nullptr) push(stays);
}

void Thread::look_around() {
  empty_inbox();
  if (disabled.load(std::memory_order_relaxed)) forward();
}

void Thread::send(Unit* unit) {
  Unit* newest = inbox.load(std::memory_order_relaxed);
  do unit->next = newest;
  while (!inbox.compare_exchange_weak(newest, unit, std::memory_order_seq_cst, std::memory_order_relaxed));
  if (asleep.load(std::memory_order_seq_cst) != 0) wake();
}

void Thread::wake() {
  if (asleep.exchange(0, std::memory_order_seq_cst) != 0) os::futex_wake(asleep, 1);
}

void Thread::idle() {
  auto called = [this] {
    return inbox.load(std::memory_order_seq_cst) != nullptr || ending.load(std::memory_order_seq_cst);
  };
  uint64_t until = os::now() + kPatience;
  do {
    for (uint32_t looks = 0; looks < kLooks; ++looks) {
      if (called()) return;
      arch::pause();
    }
    if (more_than_cores) os::yield_core();
  } while (os::now() < until);
  asleep.store(1, std::memory_order_seq_cst);
  if (!called()) os::futex_wait(asleep, 1);
  asleep.store(0, std::memory_order_relaxed);
}

}  // namespace tulle::glt
