// SPDX-License-Identifier: Apache-2.0
#include "omp/sync/lock.h"

#include "arch/cpu.h"
#include "omp/task/outside.h"
#include "omp/thread/thread.h"
#include "os/memory.h"
#include "os/report.h"
#include "sched/parking.h"
#include "sched/suspend.h"

namespace tulle::omp {
namespace {

[[noreturn]] TULLE_COLD void report_never_initialised(const void* lock) {
  os::fatal("the lock at %p was never initialised: omp_init_lock or omp_init_nest_lock must be "
            "called before it is used", lock);
}

TULLE_COLD void report_destroyed(const void* lock) {
  static std::atomic<bool> said{false};
  // Relaxed: at worst two threads say it.
  if (!global_icv().warnings.value || said.exchange(true, std::memory_order_relaxed)) return;
  os::report("the lock at %p was destroyed while it was held; its holder keeps it", lock);
}

}  // namespace

void tested_in_vain() {
  constexpr uint32_t kSeldom = 16;
  Thread* thread = self();
  if (thread != nullptr && ++thread->tests_in_vain % kSeldom == 0) sched::yield(true);
}

// Free or reserved before.
bool Lock::take(uint32_t held) {
  uint32_t seen = state_.load(std::memory_order_relaxed);  // the exchange decides
  bool got = (seen & kHeld) == 0 && state_.compare_exchange_strong(seen, held, std::memory_order_acquire,
                                                                   std::memory_order_relaxed);
  if (got) ult::happens_after(this);
  return got;
}

// The state with these bits; 0: nobody holds it. Relaxed: parking orders it against the release of unset().
uint32_t Lock::mark(uint32_t bits) {
  uint32_t seen = state_.load(std::memory_order_relaxed);
  while ((seen & kHeld) != 0)
    if ((seen & bits) == bits || state_.compare_exchange_weak(seen, seen | bits, std::memory_order_relaxed))
      return seen | bits;
  return 0;
}

// Nobody may come for whom it is reserved: whoever tests takes it then.
bool Lock::try_slow() {
  if (take(kHeld)) return true;
  tested_in_vain();
  return false;
}

// For a moment only: whoever is to have it may not run.
void Lock::let_others_take(Thread* thread) {
  if (thread->let_go != this) return;
  thread->let_go = nullptr;
  for (int round = 0; round < sched::durations::kGraceRounds; ++round) {
    if (state_.load(std::memory_order_relaxed) != kReserved) return;  // a hint
    if (sched::something_waits(self()->worker)) return sched::yield(true);
    arch::pause();
  }
}

void Lock::set_slow() {
  Thread* thread = self_or_attach();
  if (state_.load(std::memory_order_relaxed) > kReserved) report_never_initialised(this);
  let_others_take(thread);
  tested_in_vain();
  // Relaxed: take() decides.
  auto looks_free = [this] { return (state_.load(std::memory_order_relaxed) & kHeld) == 0; };
  // The holder may want the line once more: look seldom at first.
  bool alone = true;
  for (int round = 0; alone && round < sched::durations::kPatientRounds; ++round) {
    for (int i = 0; i < sched::durations::kPausesBetween; ++i) arch::pause();
    if (looks_free() && take(kHeld)) return;
    alone = !sched::something_waits(self()->worker);
  }
  if (alone) mark(kDue);
  if (sched::poll(looks_free) && take(kHeld)) return;
  // Others may wait too; and who was woken in vain is next.
  for (uint32_t bits = kWanted; !take(kHeld | kWanted); bits = kWanted | kDue)
    if (uint32_t held = mark(bits); held != 0) wait_for_holder(state_, held);
}

void Lock::unset_slow(uint32_t before) {
  if (before > kReserved) report_never_initialised(this);
  uint32_t free = kFree;
  Thread* thread = (before & kDue) != 0 ? self() : nullptr;
  // Relaxed: it goes on with what was released.
  if (thread != nullptr && state_.compare_exchange_strong(free, kReserved, std::memory_order_relaxed))
    thread->let_go = this;
  if ((before & kWanted) != 0) sched::wake_one(state_);
}

void Lock::destroy() {
  // Relaxed: the program sees to it that nobody uses it. One that stays reserved is free: nobody came.
  if ((state_.load(std::memory_order_relaxed) & ~kReserved) != kFree) report_destroyed(this);
}

void NestLock::check(uint64_t state) const {
  if (state != 0 && count_of(state) == 0) report_never_initialised(this);
}

// The holder of a lock has a record, which stays readable.
void NestLock::check_owner(uint64_t state) const {
  auto owner = static_cast<uintptr_t>(owner_of(state) >> kOwnerShift);
  if (state != 0 && !os::is_mapped(reinterpret_cast<const void*>(owner)))
    report_never_initialised(this);
}

const std::atomic<uint32_t>& NestLock::low_half() const {
  const void* first = &state_;
  return *static_cast<const std::atomic<uint32_t>*>(first);
}

int NestLock::test(const void* owner) {
  uint64_t mine = owner_bits(owner);
  uint64_t state = 0;
  if (state_.compare_exchange_strong(state, mine | kOnce, std::memory_order_acquire,
                                     std::memory_order_relaxed)) {
    ult::happens_after(this);
    return 1;
  }
  if (owner_of(state) != mine) return 0;
  if ((state & kCountMask) == kCountMask)
    os::fatal("the nestable lock at %p is set more than %d times", static_cast<void*>(this),
              count_of(state));
  // Relaxed: the owner sees its own writes; others only ever add kWanted.
  return count_of(state_.fetch_add(kOnce, std::memory_order_relaxed)) + 1;
}

int NestLock::set_slow(const void* owner) {
  uint64_t mine = owner_bits(owner);
  uint64_t waited = 0;  // once somebody waits, whoever comes after a waiter must wake the next
  for (;;) {
    uint64_t state = 0;
    if (state_.compare_exchange_strong(state, mine | kOnce | waited, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {
      ult::happens_after(this);
      return 1;
    }
    check(state);
    if (waited == 0) {
      waited = kWanted;
      // Relaxed: the exchange above decides.
      if (sched::poll([this] { return state_.load(std::memory_order_relaxed) == 0; })) {
        waited = 0;
        continue;
      }
    }
    check_owner(state);
    uint64_t wanted = state | kWanted;
    // Relaxed: it announces a waiter; parking orders it against the release of unset().
    if (wanted != state && !state_.compare_exchange_strong(state, wanted, std::memory_order_relaxed))
      continue;
    wait_for_holder(low_half(), static_cast<uint32_t>(wanted));
  }
}

int NestLock::unset(const void* owner) {
  // Relaxed: the owner wrote what matters of it.
  uint64_t state = state_.load(std::memory_order_relaxed);
  check(state);
  if (state == 0 || owner_of(state) != owner_bits(owner)) return 0;  // not its holder: no effect
  if (count_of(state) > 1)
    return count_of(state_.fetch_sub(kOnce, std::memory_order_relaxed)) - 1;
  ult::happens_before(this);
  uint64_t before = state_.exchange(0, std::memory_order_release);
  if (TULLE_UNLIKELY((before & kWanted) != 0)) sched::wake_one(low_half());
  return 0;
}

void NestLock::destroy() {
  // Relaxed: the program sees to it that nobody uses it.
  if (state_.load(std::memory_order_relaxed) != 0) report_destroyed(this);
}

}  // namespace tulle::omp
