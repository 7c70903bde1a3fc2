// SPDX-License-Identifier: Apache-2.0
// Members that wait for an object of the program's, a condition variable or a word of futex calls, where both the
// wait and the call that ends it are seen (src/abi/libc): the member is suspended, and its worker goes on with
// others. That costs what a wait of the runtime's own does, where a blocking section (sched/blocking.h) costs an OS
// thread's wake-up.
//
// The call that ends it may also come from code that found the C library's function before ours. So a
// member waits for some milliseconds at most; then its wait ends for no reason, which both kinds may do, and until
// that object is announced again by a call that is seen, those who wait for it block their OS threads.
//
// Ordering: begin() lists the wait (a full fence) before the member lets go of the mutex, or looks at the word;
// whoever announces has had the mutex since, or has changed the word and passed a full fence: it finds the wait.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"

namespace tulle::sched {

class ProgramWait {
 public:
  explicit ProgramWait(const void* object) : object_(object) {}

  // It may be announced from now on. Never suspends.
  void begin();
  // It is not waited for after all. Never suspends.
  void give_up();
  // Returns when it was announced, or for no reason.
  TULLE_MAY_SUSPEND void await();

 private:
  friend struct ProgramWaits;
  enum : uint32_t { kWaits, kEnded };

  const void* object_;
  std::atomic<uint32_t> state_{kWaits};  // W: whoever takes it out of the list, which it is the last to touch
  uint32_t age_ = 0;                     // in the monitor's ticks
 public:
  ProgramWait* next = nullptr;           // in its list
};

// The caller is a member that may be suspended here, and nobody has waited for the object in vain.
bool may_suspend_for(const void* object);

// Ends so many of the waits for the object, the first ones; how many there were. Any OS thread; never suspends.
uint32_t announce(const void* object, uint32_t most);

// The monitor, each tick: true while there are any.
bool tick_program_waits();

void reset_program_waits_after_fork();

}  // namespace tulle::sched
