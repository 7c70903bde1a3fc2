// SPDX-License-Identifier: Apache-2.0
#include "sched/program_wait.h"

#include <new>

#include "base/hash.h"
#include "base/list.h"
#include "sched/blocking.h"
#include "sched/durations.h"
#include "sched/give_way.h"
#include "sched/internal.h"
#include "sched/parking.h"
#include "sync/spinlock.h"

namespace tulle::sched {

using Waits = Fifo<ProgramWait, &ProgramWait::next>;

// All under one lock: a wait costs a suspension, a microsecond, and holds it for some nanoseconds.
struct ProgramWaits {
  static constexpr uint32_t kLists = 64;
  Waits lists[kLists];

  static uint32_t index(const void* object) { return static_cast<uint32_t>(golden_hash(object) >> 58); }

  // The first waits of a list that `wanted` accepts.
  template <class Wanted>
  static Waits take(Waits& list, Wanted wanted) {
    Waits taken, others;
    while (ProgramWait* wait = list.pop_front()) (wanted(*wait) ? taken : others).push_back(wait);
    list.append(others);
    return taken;
  }

  Waits take_for(const void* object, uint32_t most) {
    return take(lists[index(object)],
                [&](const ProgramWait& wait) { return wait.object_ == object && most != 0 && most-- != 0; });
  }

  Waits take_old() {
    Waits old;
    for (Waits& list : lists) {
      Waits of_list = take(list, [](ProgramWait& wait) { return ++wait.age_ >= durations::kProgramPatience; });
      old.append(of_list);
    }
    return old;
  }

  bool take_one(ProgramWait& wanted) {
    return !take(lists[index(wanted.object_)], [&](const ProgramWait& wait) { return &wait == &wanted; }).empty();
  }

  static const void* object_of(const ProgramWait& wait) { return wait.object_; }

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
std::atomic<uint32_t> listed{0};  // W: under the lock

// Objects that were last waited for in vain; some of them, by chance. Relaxed: hints.
std::atomic<const void*> unannounced[ProgramWaits::kLists];

std::atomic<const void*>& unannounced_at(const void* object) { return unannounced[ProgramWaits::index(object)]; }

void count(const Waits& taken) TULLE_UNDER(lock) {
  uint32_t less = 0;
  for (const ProgramWait* wait = taken.front(); wait != nullptr; wait = wait->next) ++less;
  if (less != 0) listed.fetch_sub(less, std::memory_order_relaxed);
}

}  // namespace

void ProgramWait::begin() {
  sync::Guard guard(lock);
  waits.lists[ProgramWaits::index(object_)].push_back(this);
  listed.fetch_add(1, std::memory_order_seq_cst);
}

void ProgramWait::give_up() {
  {
    sync::Guard guard(lock);
    if (waits.take_one(*this)) {
      listed.fetch_sub(1, std::memory_order_relaxed);
      return;
    }
  }
  while (state_.load(std::memory_order_acquire) == kWaits) arch::pause();  // it is just being ended
}

void ProgramWait::await() {
  publish({nullptr, false}, Attention::always);
  wait_while(state_, kWaits);
}

bool may_suspend_for(const void* object) {
  const Worker* w = worker_in_region();
  return w != nullptr && w->blocking_depth == 0 && w->guests == Guests::none && runs_on_its_stack(w) &&
         unannounced_at(object).load(std::memory_order_relaxed) != object && !is_inside_library();
}

uint32_t announce(const void* object, uint32_t most) {
  auto& in_vain = unannounced_at(object);
  if (TULLE_UNLIKELY(in_vain.load(std::memory_order_relaxed) == object))
    in_vain.store(nullptr, std::memory_order_relaxed);
  if (TULLE_LIKELY(listed.load(std::memory_order_relaxed) == 0)) return 0;
  Waits taken;
  {
    sync::Guard guard(lock);
    taken = waits.take_for(object, most);
    count(taken);
  }
  return ProgramWaits::end(taken);
}

bool tick_program_waits() {
  if (listed.load(std::memory_order_relaxed) == 0) return false;
  Waits old;
  {
    sync::Guard guard(lock);
    old = waits.take_old();
    count(old);
  }
  for (const ProgramWait* wait = old.front(); wait != nullptr; wait = wait->next) {
    const void* object = ProgramWaits::object_of(*wait);
    unannounced_at(object).store(object, std::memory_order_relaxed);
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
