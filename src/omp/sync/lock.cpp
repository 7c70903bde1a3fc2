// SPDX-License-Identifier: Apache-2.0
#include "omp/sync/lock.h"

#include <bit>

#include "arch/cpu.h"
#include "arch/registers_digest.h"
#include "omp/task/outside.h"
#include "omp/thread/thread.h"
#include "os/clock.h"
#include "os/memory.h"
#include "os/report.h"
#include "sched/parking.h"
#include "sched/sleepers.h"
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

bool lacks_answer(const Thread* thread) { return thread->lock_asks != 0 && sched::spares_are_awake(); }

// Lets others have this worker, who may be waiters too; or the core, where members run on more OS threads than there are cores and
// whoever is to answer what the caller asks may have none.
TULLE_MAY_SUSPEND void let_others_pass(const Thread* thread) {
  if (lacks_answer(thread))
    os::yield_core();
  else
    arch::pause();
  if (sched::something_waits(self()->worker)) sched::yield(true);
}

constexpr uint32_t kSteps = 1024;  // of a loop that asks, each of which differs, until it is asked anew

// Whether the caller asks in a loop for what another member is to do: two of its calls are alike, while those of a loop that
// does something differ. Members mostly run the same code: what one does, the holder does too.
bool asks_again(Thread* thread, uint64_t digest) {
  ult::take_for_defined(&digest, sizeof digest);
  if (thread->lock_digest == digest)
    thread->lock_asks = kSteps;
  else if (thread->lock_asks != 0)
    --thread->lock_asks;
  thread->lock_digest = digest;
  return thread->lock_asks != 0;
}

void begin_burst(Thread* thread) { thread->lock_turns = thread->lock_burst_end = 0; }

// Whether the time of the caller's burst is not over. It looks each time that its turns have doubled: long ones are few.
bool goes_on(Thread* thread) {
  if (thread->lock_turns < sched::durations::kLockBurstTurns || !std::has_single_bit(thread->lock_turns)) return true;
  const uint64_t now = os::now();
  if (thread->lock_burst_end == 0) thread->lock_burst_end = now + sched::durations::kLockBurst;
  return now < thread->lock_burst_end;
}

}  // namespace

void tested_in_vain() {
  constexpr uint32_t kSeldom = 16;
  Thread* thread = self();
  if (thread != nullptr && ++thread->tests_in_vain % kSeldom == 0) sched::yield(true);
}

// Waiters are passed: nobody waits on where a test would do.
bool Lock::take_from_waiters() {
  uint32_t seen = state_.load(std::memory_order_relaxed);  // the exchange decides
  return (seen & kHeld) == 0 && take(seen);
}

bool Lock::try_slow() {
  if (take_from_waiters()) return true;
  tested_in_vain();
  return false;
}

// The caller had it last.
bool Lock::take_again(Thread* thread) {
  if (thread->let_go != this) return false;
  if ((state_.load(std::memory_order_relaxed) & kDue) != 0) return false;  // a hint
  if (!goes_on(thread)) return false;
  ++thread->lock_turns;
  return take_from_waiters();
}

// Of a lock that is watched, that nobody has and nobody waits for: the call was compared all the same. Whoever asks so may have the
// core that the one needs who is to answer.
bool Lock::take_watched(const Thread* thread) {
  if (state_.load(std::memory_order_relaxed) != kWatched) return false;  // the exchange decides
  if (thread->lock_asks == kSteps) {
    if (sched::something_waits(thread->worker))
      sched::yield(true);
    else
      os::yield_core();
  }
  return take(kWatched);
}

// Those whose calls are compared do not ask.
void Lock::watch_no_more(Thread* thread) {
  constexpr uint32_t kCalls = 64;
  if ((state_.load(std::memory_order_relaxed) & kWatched) == 0 || ++thread->watched_calls % kCalls != 0) return;
  state_.fetch_and(~kWatched, std::memory_order_relaxed);
}

bool Lock::take_as_waiter() {
  uint32_t seen = state_.load(std::memory_order_relaxed);  // the exchange decides
  while ((seen & kHeld) == 0) {
    if (state_.compare_exchange_weak(seen, ((seen - kWaiter) & ~(kNext | kDue)) | kHeld, std::memory_order_acquire,
                                     std::memory_order_relaxed)) {
      ult::happens_after(this);
      return true;
    }
  }
  return false;
}

// Relaxed: the holder looks for one when it lets go, and whoever is takes a free lock itself.
bool Lock::become_next() { return (state_.fetch_or(kNext, std::memory_order_relaxed) & kNext) == 0; }

// The holder may want the line once more: a few looks, seldom where it does something. False: it is due.
template <class Take>
bool Lock::look_patiently(const Thread* thread, Take take) {
  const uint64_t between = thread->lock_asks != 0 ? sched::durations::kBetweenLooks : sched::durations::kBetweenPatientLooks;
  for (int look = 0; look < sched::durations::kPatientLooks; ++look) {
    os::pause_for(between);
    if (looks_free() && take()) return true;
  }
  return false;
}

// As long as nobody waits but the caller, whom the holder does not know, it goes on at full speed.
bool Lock::take_unseen(const Thread* thread) {
  return look_patiently(thread, [this] { return take_free(); });
}

// True: the caller is counted, and is the next. By one exchange: the holder uses the line all the time.
bool Lock::join_as_next() {
  uint32_t held = kHeld | (state_.load(std::memory_order_relaxed) & kWatched);
  return state_.compare_exchange_strong(held, held | kNext | kWaiter, std::memory_order_relaxed);
}

// Polls. False: the caller is the next no more. Whoever holds it for so long may be in want of a core, the caller's: then they
// meet each other once in a time slice, and each asks until its own is over.
bool Lock::take_as_next(const Thread* thread) {
  if (sched::poll([this] { return looks_free(); }) && take_as_waiter()) return true;
  if (!sched::something_waits(thread->worker)) state_.fetch_or(kWatched, std::memory_order_relaxed);
  state_.fetch_and(~kNext, std::memory_order_relaxed);
  return false;
}

// Leaves it to the next for a moment: that one may not run.
bool Lock::take_after_next(const Thread* thread) {
  let_others_pass(thread);
  for (uint32_t pauses = os::pauses_in(sched::durations::kGrace); pauses != 0; --pauses) {
    uint32_t seen = state_.load(std::memory_order_relaxed);  // a hint
    if ((seen & kHeld) != 0) return false;
    if ((seen & kNext) == 0) break;
    let_others_pass(thread);
  }
  return take_as_waiter();
}

// The caller, which is counted and awake, has taken it, or is the next and due.
bool Lock::take_or_be_due(const Thread* thread) {
  if (look_patiently(thread, [this] { return take_as_waiter(); })) return true;
  state_.fetch_or(kDue, std::memory_order_relaxed);
  return false;
}

// Instead of suspending, where nobody has suspended who would be passed.
bool Lock::stay_as_next(const Thread* thread) {
  return !sched::something_waits(thread->worker) && !sched::somebody_waits_for(state_) && become_next();
}

// Unseen, but sometimes: a holder that does not know of the caller meets nobody, so that none of its calls is compared.
bool Lock::waits_unseen(Thread* thread) {
  constexpr uint32_t kSometimes = 4;
  return thread->lock_asks == 0 && ++thread->met_at_locks % kSometimes != 0 &&
         state_.load(std::memory_order_relaxed) == kHeld;  // a hint
}

void Lock::set_contended(uint64_t digest) {
  Thread* thread = self_or_attach();
  if (state_.load(std::memory_order_relaxed) >= kMostWaiters) report_never_initialised(this);
  if (!asks_again(thread, digest)) {
    watch_no_more(thread);
    if (take_again(thread)) return;
  }
  if (take_watched(thread)) return;
  thread->let_go = nullptr;
  const bool lacks = lacks_answer(thread), alone = !lacks && !sched::something_waits(thread->worker);
  if (alone && waits_unseen(thread) && take_unseen(thread)) return;
  bool next = alone && join_as_next();
  if (!next) state_.fetch_add(kWaiter, std::memory_order_relaxed);  // from now on whoever lets it go looks for waiters
  if (lacks) state_.fetch_or(kWatched, std::memory_order_relaxed);
  for (bool stays = alone && !next; !(next ? take_or_be_due(thread) || take_as_next(thread) : take_after_next(thread)); stays = false)
    next = (stays && stay_as_next(thread)) || suspend_for_holder(state_, kHeld) || become_next();
}

void Lock::set_slow() {
  tulle_call_with_digest(this, [](void* lock, uint64_t digest) { static_cast<Lock*>(lock)->set_contended(digest); });
}

void Lock::unset_slow() {
  uint32_t seen = state_.load(std::memory_order_relaxed);  // the exchange decides
  do {
    if (seen >= kMostWaiters) report_never_initialised(this);
    if ((seen & kHeld) == 0) return;
  } while (!state_.compare_exchange_weak(seen, seen & ~kHeld, std::memory_order_release, std::memory_order_relaxed));
  if (Thread* thread = self(); thread != nullptr && thread->let_go != this) {
    thread->let_go = this;
    begin_burst(thread);
  }
  if ((seen & kNext) != 0 || !sched::somebody_waits_for(state_)) return;
  if (become_next()) sched::wake_one_or_clear(state_, kNext);
}

void Lock::destroy() {
  // Relaxed: the program sees to it that nobody uses it.
  if ((state_.load(std::memory_order_relaxed) & kHeld) != 0) report_destroyed(this);
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
  if (!is_holder(state, owner)) return 0;  // no effect
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
