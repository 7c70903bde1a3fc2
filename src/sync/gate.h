// SPDX-License-Identifier: Apache-2.0
// A gate that many pass at once, each by a flag in a cache line of its own, and that one closes, seldom: what is
// between enter and leave happens wholly before a close or wholly after the open that follows. It is the lock that
// is cheap for readers ("big-reader lock"), and here a reader may write, as it agrees with the others by other means.
// Never suspend inside. Closers keep each other off by a lock of their own. Who finds it closed waits for it to open, and
// not at that lock, where all would follow each other.
// Model: tests/models/gate.pml.
//
//   who passes                               who closes
//   inside = true                            closed = true
//   full fence                               full fence
//   closed? -> inside = false, wait, again   waits for each one's `inside` to be false
//   ...                                      ...
//   inside = false (release)                 closed = false (release)
//
// Of two fences one is the second, and the thread that passed it sees the other one's flag. The acquiring loads of
// either flag, read as false, pair with the releasing stores.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/cpu.h"
#include "os/clock.h"

namespace tulle::sync {

class Gate {
 public:
  // Of one OS thread at a time. Its memory outlives every close that may have heard of it.
  class Pass {
    friend Gate;
    std::atomic<bool> inside_{false};
  };

  void enter(Pass& pass) {
    while (!try_enter(pass)) wait_for([this] { return !closed_.load(std::memory_order_acquire); });
  }
  bool try_enter(Pass& pass) {
    pass.inside_.store(true, std::memory_order_relaxed);  // the fence orders it
    arch::full_fence();
    if (TULLE_LIKELY(!closed_.load(std::memory_order_acquire))) return true;
    leave(pass);
    return false;
  }
  void leave(Pass& pass) { pass.inside_.store(false, std::memory_order_release); }

  // Under the closers' lock. `each_pass` calls what it is given with every pass that there is.
  template <class EachPass>
  void close(EachPass each_pass) {
    closed_.store(true, std::memory_order_relaxed);  // the fence orders it
    arch::full_fence();
    each_pass([](const Pass& pass) {
      wait_for([&pass] { return !pass.inside_.load(std::memory_order_acquire); });
    });
  }
  void open() { closed_.store(false, std::memory_order_release); }

 private:
  template <class Done>
  static void wait_for(Done done) {
    for (uint32_t looks = 1; !done(); ++looks) {
      arch::pause();
      if (looks % 256 == 0) os::yield_core();
    }
  }

  std::atomic<bool> closed_{false};
};

}  // namespace tulle::sync
