// SPDX-License-Identifier: Apache-2.0
// A mutex, which goes from its holder to the first that waits.
//
// Ordering: what frees the word (release) pairs with what takes it (acquire). `waiters` is under the lock, and the
// word is kContended while there may be some, so a release that finds it so looks for them under the lock.
#pragma once

#include "glt/waiters.h"

struct tulle_glt_mutex {
  static constexpr uint32_t kFree = 0, kHeld = 1, kContended = 2;
  std::atomic<uint32_t> word{kFree};
  tulle::sync::Spinlock lock;
  tulle::glt::Waiters waiters;

  bool try_take() {
    uint32_t expected = kFree;
    if (!word.compare_exchange_strong(expected, kHeld, std::memory_order_acquire, std::memory_order_relaxed))
      return false;
    tulle::ult::happens_after(this);
    return true;
  }
  // Of the unit that runs on t.
  TULLE_MAY_SUSPEND void await(tulle::glt::Thread* t);
  void release(const char* function) {
    tulle::ult::happens_before(this);
    uint32_t expected = kHeld;
    if (word.compare_exchange_strong(expected, kFree, std::memory_order_release, std::memory_order_relaxed)) return;
    hand_over(function);
  }

 private:
  TULLE_COLD void hand_over(const char* function);
};
