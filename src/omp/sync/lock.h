// SPDX-License-Identifier: Apache-2.0
// Locks of the program's (OpenMP 5.2 §18.9). The memory is the program's; GCC's omp_lock_t has four
// bytes and clang's eight, omp_nest_lock_t sixteen (eight in Fortran) and eight, so the state is one
// word of four and one of eight. Waiters stand in sched's table. Zeroed memory is a free lock.
// Uncontended set and unset are one atomic operation each. Any thread. Whoever lets a lock go and comes back at once
// takes it again some times, until the next waiter is due: its turn costs a transfer of the line, or a switch. Not so where it
// asks in a loop for what another is to do under the lock: that one has it at once, or the asker's core where both are on
// one. Waiters have it in the order in which they came, but for those that poll.
// Ordering: set and test (acquire) pair with unset (release).
#pragma once

#include <atomic>
#include <bit>
#include <cstdint>

#include "base/cacheline.h"
#include "ult/sanitizer.h"

namespace tulle::omp {

struct Thread;

// Programs test in loops: every now and then such a loop leaves its core to who waits for it.
TULLE_MAY_SUSPEND TULLE_COLD void tested_in_vain();

class Lock {
 public:
  void init() { state_.store(0, std::memory_order_relaxed); }  // relaxed: nobody knows it yet
  void destroy();

  TULLE_MAY_SUSPEND void set() {
    if (TULLE_UNLIKELY(!take_free())) set_slow();
  }

  bool test() { return take_free() || take_from_waiters(); }

  // omp_test_lock.
  TULLE_MAY_SUSPEND bool try_set() { return TULLE_LIKELY(take_free()) || try_slow(); }

  void unset() {
    ult::happens_before(this);
    uint32_t held = kHeld;
    if (TULLE_UNLIKELY(!state_.compare_exchange_strong(held, 0, std::memory_order_release, std::memory_order_relaxed)))
      unset_slow();
  }

 private:
  // By bits: held; one who is awake is to have it next (polls, or was woken); that one has waited for long enough; each call is
  // compared, though it meets nobody. The rest counts those that wait, awake or in the table.
  enum : uint32_t { kHeld = 1, kNext = 2, kDue = 4, kWatched = 8, kWaiter = 16, kMostWaiters = 1 << 24 };

  // The word that was seen, of a lock that nobody has.
  bool take(uint32_t seen) {
    bool got = state_.compare_exchange_strong(seen, seen | kHeld, std::memory_order_acquire, std::memory_order_relaxed);
    if (got) ult::happens_after(this);
    return got;
  }
  bool take_free() { return take(0); }
  bool take_from_waiters();
  TULLE_MAY_SUSPEND TULLE_COLD bool try_slow();
  bool take_again(Thread* thread);
  TULLE_MAY_SUSPEND bool take_watched(const Thread* thread);
  void watch_no_more(Thread* thread);
  bool looks_free() const { return (state_.load(std::memory_order_relaxed) & kHeld) == 0; }  // relaxed: an exchange decides
  bool take_as_waiter();
  bool become_next();
  template <class Take>
  bool look_patiently(const Thread* thread, Take take);
  bool take_unseen(const Thread* thread);
  bool join_as_next();
  TULLE_MAY_SUSPEND bool take_as_next(const Thread* thread);
  TULLE_MAY_SUSPEND bool take_after_next(const Thread* thread);
  bool take_or_be_due(const Thread* thread);
  bool stay_as_next(const Thread* thread);
  bool waits_unseen(Thread* thread);
  TULLE_MAY_SUSPEND void set_contended(uint64_t digest);
  TULLE_MAY_SUSPEND TULLE_COLD void set_slow();
  TULLE_COLD void unset_slow();

  std::atomic<uint32_t> state_;
};
static_assert(sizeof(Lock) == 4 && alignof(Lock) == 4);

// The owner is whatever the caller says: the current task, or the thread for programs built against
// OpenMP 2.5. It is any aligned address that lives while the lock is held.
class NestLock {
 public:
  void init() { state_.store(0, std::memory_order_relaxed); }  // relaxed: nobody knows it yet
  void destroy();

  // Each returns the number of times that the owner now holds it.
  TULLE_MAY_SUSPEND int set(const void* owner) {
    int count = test(owner);
    return TULLE_LIKELY(count != 0) ? count : set_slow(owner);
  }
  int test(const void* owner);
  // omp_test_nest_lock.
  TULLE_MAY_SUSPEND int try_set(const void* owner) {
    int count = test(owner);
    if (TULLE_UNLIKELY(count == 0)) tested_in_vain();
    return count;
  }
  int unset(const void* owner);
  bool is_held_by(const void* owner) const {
    return is_holder(state_.load(std::memory_order_relaxed), owner);  // relaxed: the owner wrote what matters of it
  }

  // Owners are aligned to this.
  static constexpr std::size_t kOwnerAlignment = 8;

 private:
  // Bit 0: somebody waits. Bits 1 to 19: how often held. The rest: owner / kOwnerAlignment.
  static constexpr uint64_t kWanted = 1;
  static constexpr uint64_t kOnce = 2;
  static constexpr uint64_t kCountMask = ((uint64_t{1} << 19) - 1) << 1;
  static constexpr int kOwnerShift = 20 - 3;

  static uint64_t owner_bits(const void* owner) {
    return static_cast<uint64_t>(reinterpret_cast<uintptr_t>(owner)) << kOwnerShift;
  }
  static uint64_t owner_of(uint64_t state) { return state & ~(kCountMask | kWanted); }
  static bool is_holder(uint64_t state, const void* owner) {
    return state != 0 && owner_of(state) == owner_bits(owner);
  }
  static int count_of(uint64_t state) { return static_cast<int>((state & kCountMask) >> 1); }

  TULLE_MAY_SUSPEND TULLE_COLD int set_slow(const void* owner);
  void check(uint64_t state) const;
  void check_owner(uint64_t state) const;
  const std::atomic<uint32_t>& low_half() const;

  std::atomic<uint64_t> state_;
};
static_assert(sizeof(NestLock) == 8);
static_assert(std::endian::native == std::endian::little, "low_half() is the first one");

}  // namespace tulle::omp
