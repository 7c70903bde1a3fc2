// SPDX-License-Identifier: Apache-2.0
// A lock for sections of a few instructions that never suspend. Any thread may take it.
// After a bounded spin the OS thread yields its core, because the holder may have been descheduled.
// Ordering: lock (acquire) pairs with unlock (release).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "arch/cpu.h"
#include "base/cacheline.h"
#include "os/clock.h"
#include "sync/lock_contracts.h"

// Marks a lock of process-wide data that fork() must find free (sync/fork_locks.h).
#define TULLE_HELD_AT_FORK __attribute__((section("tulle_fork_locks")))

namespace tulle::sync {

class TULLE_CAPABILITY Spinlock {
 public:
  void lock() TULLE_ACQUIRES() {
    if (TULLE_LIKELY(!held_.exchange(true, std::memory_order_acquire))) return;
    lock_slow();
  }

  // For signal handlers, which may have interrupted the holder itself: gives up after some milliseconds.
  bool lock_unless_kept() TULLE_TRIES(true) {
    for (uint32_t tries = 1; tries < kPatience; ++tries) {
      if (!held_.load(std::memory_order_relaxed) && try_lock()) return true;  // the exchange decides
      arch::pause();
      if (tries % 256 == 0) os::yield_core();
    }
    return false;
  }

  bool try_lock() TULLE_TRIES(true) { return !held_.exchange(true, std::memory_order_acquire); }

  // For many that come again and again: between them who has to have it would wait for long.
  bool try_lock_if_unwanted() TULLE_TRIES(true) {
    // Relaxed: hints, but for the exchange.
    return waiting_.load(std::memory_order_relaxed) == 0 && !held_.load(std::memory_order_relaxed) && try_lock();
  }

  void unlock() TULLE_RELEASES() { held_.store(false, std::memory_order_release); }

 private:
  static constexpr uint32_t kPatience = 1 << 18;

  // Who has to wait so often counts: whoever can do without passes by. And the more there are, the longer each waits between two
  // looks: all that look take the line from the holder, and each other, for as long as it is on its way to them (in the model
  // of 64 and more cores 200 ns between any two looks are best).
  static constexpr uint32_t kBeforeSaying = 4, kMostCounted = 64, kPausesBeforeYield = 256;
  static constexpr uint64_t kBetweenLooks = 200;  // ns

  TULLE_NOINLINE void lock_slow() {
    uint32_t tries = 0, pauses = 0;
    // Relaxed: the exchange decides.
    while (held_.load(std::memory_order_relaxed) || held_.exchange(true, std::memory_order_acquire)) {
      if (++tries == kBeforeSaying) waiting_.fetch_add(1, std::memory_order_relaxed);  // a hint
      const uint32_t waiting = waiting_.load(std::memory_order_relaxed);
      const uint32_t until = pauses + (waiting <= 1 ? 1 : std::min(waiting, kMostCounted) * os::pauses_in(kBetweenLooks));
      for (; pauses < until; ++pauses) arch::pause();
      if (pauses < kPausesBeforeYield) continue;
      os::yield_core();
      pauses = 0;
    }
    if (tries >= kBeforeSaying) waiting_.fetch_sub(1, std::memory_order_relaxed);
  }

  std::atomic<bool> held_{false};
  std::atomic<uint32_t> waiting_{0};  // in lock_slow, for some time
};

class TULLE_SCOPED_LOCK Guard {
 public:
  explicit Guard(Spinlock& lock) TULLE_ACQUIRES(lock) : lock_(lock) { lock_.lock(); }
  ~Guard() TULLE_RELEASES() { lock_.unlock(); }
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

 private:
  Spinlock& lock_;
};

}  // namespace tulle::sync
