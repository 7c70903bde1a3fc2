// SPDX-License-Identifier: Apache-2.0
// A mutex, which goes from its holder to the first that waits, if nobody else takes it while it is free.
//
// Ordering: what frees the word (release) pairs with what takes it (acquire). `waiters` is under the lock, and
// `waiting` says whether there are some. A holder stores that the word is free and then looks at `waiting`, with no
// fence between the two but where asymmetric fences are refused; a unit that has come to wait issues the other half
// (os/fence.h) and then looks at the word itself. So one of the two sees the other.
// The holder's look comes when the mutex may be freed already: memory of mutexes stays that of mutexes, and to hand a
// mutex over that is free and has waiters is never wrong.
#pragma once

#include "base/cacheline.h"
#include "glt/waiters.h"
#include "os/fence.h"

// A line of its own: the holders of two mutexes do not disturb each other.
struct TULLE_CACHE_ALIGNED tulle_glt_mutex {
  static constexpr uint32_t kFree = 0, kHeld = 1;
  std::atomic<uint32_t> word{kFree};
  std::atomic<bool> waiting{false};  // W: under the lock
  tulle::sync::Spinlock lock;
  tulle::glt::Waiters waiters;
  tulle_glt_mutex* next = nullptr;  // among those that are not in use

  bool take_if_free() { return word.exchange(kHeld, std::memory_order_acquire) == kFree; }
  bool try_take() {
    if (!take_if_free()) return false;
    tulle::ult::happens_after(this);
    return true;
  }
  // Of the unit that runs on t.
  TULLE_MAY_SUSPEND void await(tulle::glt::Thread* t);
  void release(const char* function) {
    tulle::ult::happens_before(this);
    if (TULLE_UNLIKELY(word.load(std::memory_order_relaxed) == kFree)) not_locked(function);  // relaxed: the caller's own
    word.store(kFree, std::memory_order_release);
    tulle::os::hot_fence();  // pairs with await
    if (TULLE_UNLIKELY(waiting.load(std::memory_order_relaxed))) hand_over();
  }

 private:
  [[noreturn]] static TULLE_COLD void not_locked(const char* function);
  // To the first that waits, if it is free.
  TULLE_NOINLINE void hand_over();
};
