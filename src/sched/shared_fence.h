// SPDX-License-Identifier: Apache-2.0
// One heavy fence for all who want one at about the same time. Each interrupts every core on which the process runs, and the
// kernel passes one after the other: of a large pool that falls asleep each worker would wait for all others'.
//
// Ordering: whoever comes has stored what the fence is for, and adds to `asked` (release); whoever passes the fence reads
// that before (acquire), and tells after it how many it was for (release), which they read (acquire). So the fence began
// after each of them had come, and has ended.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "os/clock.h"
#include "os/fence.h"

namespace tulle::sched {

template <auto Fence = os::heavy_fence>
class SharedFence {
 public:
  // Returns when such a fence has been passed; or before, when is_needless(). The caller waits for others to come until
  // all_have_come(), but no longer than `patience` nanoseconds, and leaves its core to them.
  template <class AllHaveCome, class IsNeedless>
  void pass(uint64_t patience, AllHaveCome all_have_come, IsNeedless is_needless) {
    const uint32_t ticket = asked_.fetch_add(1, std::memory_order_acq_rel) + 1;
    const uint64_t end = patience == 0 ? 0 : os::now() + patience;
    while (!is_passed_for(ticket) && !is_needless()) {
      if ((patience == 0 || all_have_come() || os::now() >= end) && pass_for_all(ticket)) return;
      os::yield_core();
    }
  }

  // In the child of a fork, where nobody is at it.
  void reset() {
    asked_.store(0, std::memory_order_relaxed);
    passed_for_.store(0, std::memory_order_relaxed);
    is_taken_.store(false, std::memory_order_relaxed);
  }

 private:
  // Tickets wrap around.
  bool is_passed_for(uint32_t ticket) const {
    return static_cast<int32_t>(passed_for_.load(std::memory_order_acquire) - ticket) >= 0;
  }

  // False: somebody is at it.
  bool pass_for_all(uint32_t ticket) {
    if (is_taken_.exchange(true, std::memory_order_acquire)) return false;  // pairs with the store below
    if (!is_passed_for(ticket)) {
      const uint32_t asked = asked_.load(std::memory_order_acquire);
      Fence();
      passed_for_.store(asked, std::memory_order_release);
    }
    is_taken_.store(false, std::memory_order_release);
    return true;
  }

  TULLE_CACHE_ALIGNED std::atomic<uint32_t> asked_{0};  // W: whoever comes
  TULLE_CACHE_ALIGNED std::atomic<uint32_t> passed_for_{0};  // W: who passes the fence
  std::atomic<bool> is_taken_{false};                        // W: whoever would
};

}  // namespace tulle::sched
