// SPDX-License-Identifier: Apache-2.0
#include "sched/program_wait.h"

#include <new>

#include "arch/cpu.h"
#include "base/hash.h"
#include "base/list.h"
#include "os/signal_mask.h"
#include "sched/alarm.h"
#include "sched/announce.h"
#include "sched/blocking.h"
#include "sched/durations.h"
#include "sched/give_way.h"
#include "sched/parking.h"
#include "sched/pool.h"
#include "sched/publish.h"
#include "sched/settings.h"
#include "sched/signals.h"
#include "sched/worker.h"
#include "sync/spinlock.h"

namespace tulle::sched {

namespace {

using Waits = Fifo<ProgramWait, &ProgramWait::next>;

constexpr uint32_t kLists = 64;

uint32_t index_of(const void* object) { return static_cast<uint32_t>(golden_hash(object) >> 58); }

std::atomic<uint32_t> listed{0};  // W: under the lock
std::atomic<bool> left_to_monitor{false};

// Objects that were last waited for in vain; some of them, by chance. Relaxed: hints.
std::atomic<const void*> unannounced[kLists];

std::atomic<const void*>& unannounced_at(const void* object) { return unannounced[index_of(object)]; }

}  // namespace

// All under one lock: a wait costs a suspension, a microsecond, and holds it for some nanoseconds.
struct ProgramWaits {
  Waits lists[kLists];

  Waits& list_of(const void* object) { return lists[index_of(object)]; }

  // The first waits of a list that `wanted` accepts.
  template <class Wanted>
  static Waits take(Waits& list, Wanted wanted) {
    Waits taken, others;
    while (ProgramWait* wait = list.pop_front()) {
      bool matches = wanted(*wait);
      (matches ? taken : others).push_back(wait);
      if (matches) listed.fetch_sub(1, std::memory_order_relaxed);
    }
    list.append(others);
    return taken;
  }

  Waits take_for(const void* object, uint32_t most) {
    return take(list_of(object),
                [&](const ProgramWait& wait) { return wait.object_ == object && most != 0 && most-- != 0; });
  }

  Waits take_looking() {
    Waits looking;
    for (Waits& list : lists) {
      Waits of_list = take(list, [](const ProgramWait& wait) { return wait.ends_ == ProgramWait::Ends::to_look; });
      looking.append(of_list);
    }
    return looking;
  }

  static bool waited_in_vain(ProgramWait& wait) {
    if (++wait.age_ < durations::kProgramPatience) return false;
    unannounced_at(wait.object_).store(wait.object_, std::memory_order_relaxed);
    return true;
  }

  Waits take_old() {
    Waits old;
    for (Waits& list : lists) {
      Waits of_list = take(list, waited_in_vain);
      old.append(of_list);
    }
    return old;
  }

  bool take_one(ProgramWait& wanted) {
    return !take(list_of(wanted.object_), [&](const ProgramWait& wait) { return &wait == &wanted; }).empty();
  }

  // The record is gone as soon as its state says so.
  static uint32_t end(Waits& taken) {
    uint32_t ended = 0;
    for (; ProgramWait* wait = taken.pop_front(); ++ended) {
      auto& state = wait->state_;
      state.store(ProgramWait::kEnded, std::memory_order_release);  // pairs with await
      wake_all(state);
    }
    return ended;
  }
};

namespace {

TULLE_HELD_AT_FORK sync::Spinlock lock;
ProgramWaits waits TULLE_GUARDED_BY(lock);

}  // namespace

void ProgramWait::begin() {
  sync::Guard guard(lock);
  waits.list_of(object_).push_back(this);
  listed.fetch_add(1, std::memory_order_seq_cst);
}

bool ProgramWait::give_up() {
  {
    sync::Guard guard(lock);
    if (waits.take_one(*this)) return false;
  }
  while (state_.load(std::memory_order_acquire) == kWaits) arch::pause();  // it is just being ended
  return true;
}

void ProgramWait::await() {
  publish({nullptr, false}, Attention::always);
  wait_while(state_, kWaits);
}

bool may_suspend_for(const void* object) {
  const Worker* w = worker_in_region();
  return w != nullptr && w->blocking_depth == 0 && w->guests == Guests::none && runs_on_its_stack(w) &&
         !has_sent_signals(w) &&
         unannounced_at(object).load(std::memory_order_relaxed) != object && !is_inside_library();
}

// The monitor may be on its slow beat when the wait begins.
bool would_end_within(uint64_t nanoseconds) {
  return nanoseconds / settings().monitor_tick_ns >= durations::kSlowTicks + durations::kProgramPatience + 2;
}

namespace {

void note_announced(const void* object) {
  auto& in_vain = unannounced_at(object);
  if (TULLE_UNLIKELY(in_vain.load(std::memory_order_relaxed) == object))
    in_vain.store(nullptr, std::memory_order_relaxed);
}

}  // namespace

uint32_t announce(const void* object, uint32_t most) {
  note_announced(object);
  if (TULLE_LIKELY(listed.load(std::memory_order_relaxed) == 0)) return 0;
  Waits taken;
  {
    sync::Guard guard(lock);
    taken = waits.take_for(object, most);
  }
  return ProgramWaits::end(taken);
}

// What a handler interrupted may hold any lock of the runtime's.
void announce_anywhere(const void* object) {
  note_announced(object);
  if (TULLE_LIKELY(listed.load(std::memory_order_relaxed) == 0)) return;
  if ((os::signal_mask() & ~os::kept_signal_mask()) == 0) {
    announce(object, 1);
    return;
  }
  left_to_monitor.store(true, std::memory_order_release);  // pairs with end_looking_waits
  alarm_monitor();
}

void end_looking_waits() {
  if (!left_to_monitor.exchange(false, std::memory_order_acquire)) return;
  Waits looking;
  {
    sync::Guard guard(lock);
    looking = waits.take_looking();
  }
  ProgramWaits::end(looking);
}

bool tick_program_waits() {
  if (listed.load(std::memory_order_relaxed) == 0) return false;
  Waits old;
  {
    sync::Guard guard(lock);
    old = waits.take_old();
  }
  ProgramWaits::end(old);
  return listed.load(std::memory_order_relaxed) != 0;
}

// The members that waited are not here.
void reset_program_waits_after_fork() {
  new (&waits) ProgramWaits;
  listed.store(0, std::memory_order_relaxed);
}

}  // namespace tulle::sched
