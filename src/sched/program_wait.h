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
  // To look: what is waited for is to be seen at the object, and the wait may end for no reason at any time.
  enum class Ends : uint8_t { when_announced, to_look };
  explicit ProgramWait(const void* object, Ends ends = Ends::when_announced) : object_(object), ends_(ends) {}

  // It may be announced from now on. Never suspends.
  void begin();
  // It is not waited for after all. True: it was announced meanwhile, for another one then. Never suspends.
  bool give_up();
  // Returns when it was announced, or for no reason.
  TULLE_MAY_SUSPEND void await();

 private:
  friend struct ProgramWaits;
  enum : uint32_t { kWaits, kEnded };

  const void* object_;
  Ends ends_;
  std::atomic<uint32_t> state_{kWaits};  // W: whoever takes it out of the list, which it is the last to touch
  uint32_t age_ = 0;                     // in the monitor's ticks
 public:
  ProgramWait* next = nullptr;           // in its list
};

// The caller is a member that may be suspended here, and nobody has waited for the object in vain.
bool may_suspend_for(const void* object);

// A wait that nobody announces would have ended for no reason before.
bool would_end_within(uint64_t nanoseconds);

// Ends so many of the waits for the object, the first ones; how many there were. Any OS thread; never suspends.
uint32_t announce(const void* object, uint32_t most);

// One of the waits for the object that end to look ends, or all such waits of all objects. In a signal handler, too,
// if that blocks some signal, its own say: then the monitor does it.
void announce_anywhere(const void* object);
// The monitor: what was left to it.
void end_looking_waits();

// The monitor, each tick: true while there are any.
bool tick_program_waits();

void reset_program_waits_after_fork();

}  // namespace tulle::sched
