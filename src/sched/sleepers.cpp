// SPDX-License-Identifier: Apache-2.0
#include "sched/sleepers.h"

#include "arch/cpu.h"
#include "os/futex.h"
#include "sched/alarm.h"
#include "sched/crew.h"
#include "sched/guest.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

TULLE_CACHE_ALIGNED std::atomic<uint32_t> sleeper_count{0};  // W: any
StandIns stand_ins;
bool (*hand_on_behind)(Worker* away) = nullptr;

namespace {

constexpr uint32_t kWords = kMaxWorkers / 64;

// Bit of each worker that sleeps and may take anybody's work. W: any; hints until one is woken.
TULLE_CACHE_ALIGNED std::atomic<uint64_t> sleepers[kWords];

// Where there are many, those who sleep on one word have a bit each: so a system call wakes all that have been claimed, and
// nobody else.
struct Group {
  static constexpr uint32_t kFew = 8;  // workers that have words of their own
  static constexpr uint32_t kWorkers = 32;
  TULLE_CACHE_ALIGNED std::atomic<uint32_t> roused{0};  // futex word, a count. W: any
};
Group groups[kMaxWorkers / Group::kWorkers];

Group& group_of(const Worker* w) { return groups[w->index / Group::kWorkers]; }
uint32_t bit_of(const Worker* w) { return uint32_t{1} << w->index % Group::kWorkers; }

// Calls wait(word, expected) unless somebody has woken w.
template <class Wait>
void wait_as(const Worker* w, Wait wait) {
  if (w->bed == Bed::own) return wait(w->asleep, kAsleep);
  const std::atomic<uint32_t>& word = group_of(w).roused;
  const uint32_t count = word.load(std::memory_order_acquire);  // before the look; pairs with Rousing::end
  if (w->asleep.load(std::memory_order_relaxed) != 0) wait(word, count);
}

bool takes_anything(const Worker* w) { return w->kind != WorkerKind::foreign; }

// A spare stands for workers that do not come back; for all else it is one too many, unless there are no
// others that take anything.
bool counts_as_sleeper(const Worker* w) {
  return w->kind != WorkerKind::spare || workers_now(crew_of(w)) == 0;
}

void clear_bit(Worker* w) {
  sleepers[w->index / 64].fetch_and(~(uint64_t{1} << (w->index % 64)), std::memory_order_relaxed);
}

// kAsleep: it slept, and the caller is the one that ends its sleep; else what it does. Acquire: pairs with
// begin_sleep and sleep_as_guest.
uint32_t claim_if_asleep(Worker* w) {
  uint32_t seen = kAsleep;
  if (w->asleep.compare_exchange_strong(seen, 0, std::memory_order_acquire, std::memory_order_relaxed) &&
      TULLE_UNLIKELY(w->kind == WorkerKind::spare))
    stand_ins.spares.fetch_add(1, std::memory_order_relaxed);
  return seen;
}

bool claim(Worker* w) {
  return w->asleep.load(std::memory_order_relaxed) == kAsleep && claim_if_asleep(w) == kAsleep;
}

// A sleeper that takes anything of its crew's and that `wanted` accepts.
template <class Wanted>
TULLE_INLINE Worker* claim_one(Wanted wanted) {
  for (uint32_t word = 0; word < kWords; ++word) {
    uint64_t bits = sleepers[word].load(std::memory_order_relaxed);
    for (; bits != 0; bits &= bits - 1) {
      uint32_t bit = static_cast<uint32_t>(__builtin_ctzll(bits));
      Worker* w = all_workers[word * 64 + bit].load(std::memory_order_acquire);  // pairs with new_worker
      if (!wanted(w)) continue;
      sleepers[word].fetch_and(~(bits & -bits), std::memory_order_relaxed);
      if (claim(w)) return w;
    }
    if (word * 64 >= all_worker_count.load(std::memory_order_relaxed)) break;
  }
  return nullptr;
}

}  // namespace

void begin_sleep(Worker* w) {
  // First: who finds no spare that is awake must find that one is wanted.
  if (w->kind == WorkerKind::spare) stand_ins.spares.fetch_sub(1, std::memory_order_release);
  set_looked_at(w->bed, all_worker_count.load(std::memory_order_relaxed) > Group::kFew ? Bed::shared : Bed::own);
  w->asleep.store(kAsleep, std::memory_order_release);  // pairs with some_active_spare, and claim_if_asleep
  if (counts_as_sleeper(w)) count_free_core(1);  // ordered by the heavy fence that follows
  if (takes_anything(w))
    sleepers[w->index / 64].fetch_or(uint64_t{1} << (w->index % 64), std::memory_order_relaxed);
}

TULLE_COLD bool wants_spare(uint32_t away) {
  uint32_t spares = stand_ins.spares.load(std::memory_order_relaxed);
  return away > spares || (away == spares && has_host() && pool_size_now() == 0);
}

bool end_sleep(Worker* w) {
  bool alone = claim(w);
  if (counts_as_sleeper(w)) count_free_core(-1);
  if (takes_anything(w)) clear_bit(w);
  return alone;
}

// Where spares may be meant.
static TULLE_COLD Worker* claim_sleeper_or_spare(const Crew* crew) {
  bool spares_too = spare_wanted();
  return claim_one([=](const Worker* w) { return crew_of(w) == crew && (spares_too || counts_as_sleeper(w)); });
}

Worker* claim_sleeper(const Crew* crew) {
  if (TULLE_LIKELY(stand_ins.away.load(std::memory_order_relaxed) == 0)) {
    Worker* w = claim_one([=](const Worker* each) { return crew_of(each) == crew && each->kind != WorkerKind::spare; });
    if (TULLE_LIKELY(w != nullptr)) return w;
  }
  return claim_sleeper_or_spare(crew);
}

// Null: the monitor sees to a spare that is wanted.
static Worker* claim_or_alarm(const Crew* crew) {
  Worker* w = claim_sleeper(crew);
  if (w == nullptr && spare_wanted()) alarm_monitor();
  return w;
}

Worker* claim_sleeping_spare(const Crew* crew) {
  return claim_one([=](const Worker* w) { return w->kind == WorkerKind::spare && crew_of(w) == crew; });
}

void wait_until_roused(const Worker* w) {
  wait_as(w, [w](const std::atomic<uint32_t>& word, uint32_t expected) {
    os::futex_wait_with(word, expected, bit_of(w));
  });
}

void wait_until_roused_for(const Worker* w, uint64_t nanoseconds) {
  wait_as(w, [nanoseconds](const std::atomic<uint32_t>& word, uint32_t expected) {
    os::futex_wait_for(word, expected, nanoseconds);
  });
}

void Rousing::add(Worker* w) {
  if (look(w->bed) != Bed::shared) return rouse(w);
  const uint32_t group = w->index / Group::kWorkers;
  if (group != group_) end();
  group_ = group;
  bits_ |= bit_of(w);
}

void rouse(Worker* w) {
  const Bed bed = look(w->bed);
  if (TULLE_LIKELY(bed == Bed::own))
    os::futex_wake(w->asleep, 1);
  else if (bed == Bed::host)
    rouse_guest(w);
  else
    Rousing{}.add(w);
}

void Rousing::end() {
  if (bits_ == 0) return;
  std::atomic<uint32_t>& word = groups[group_].roused;
  word.fetch_add(1, std::memory_order_release);  // after the claims
  os::futex_wake_with(word, bits_);
  bits_ = 0;
}

void count_free_core(int more) {
  sleeper_count.fetch_add(static_cast<uint32_t>(more), std::memory_order_relaxed);  // a hint
}

// Callers have seen that it sleeps, or have reason to think so.
bool wake(Worker* w) {
  uint32_t seen = claim_if_asleep(w);
  if (TULLE_LIKELY(seen == kAsleep)) {
    rouse(w);
    return true;
  }
  return seen == kAway && hand_on_behind(w);
}

bool wake(Worker* w, Rousing& rousing) {
  uint32_t seen = claim_if_asleep(w);
  if (seen == kAsleep) rousing.add(w);
  return seen == kAsleep || (seen == kAway && hand_on_behind(w));
}

bool wake_any(const Crew* crew) {
  Worker* w = claim_or_alarm(crew);
  if (w != nullptr) rouse(w);
  return w != nullptr;
}

bool wake_any(const Crew* crew, Rousing& rousing) {
  Worker* w = claim_or_alarm(crew);
  if (w != nullptr) rousing.add(w);
  return w != nullptr;
}

bool wake_anybody() {
  if (wake_any()) return true;
  Worker* w = claim_one([](const Worker* each) { return crew_of(each) != nullptr && counts_as_sleeper(each); });
  if (w != nullptr) rouse(w);
  return w != nullptr;
}

void wake_one_of_each_crew() {
  wake_any();
  // Acquire: pairs with start_crew.
  for (const Crew* crew = newest_crew.load(std::memory_order_acquire); crew != nullptr; crew = crew->next) wake_any(crew);
}

void wake_for(const Bubble* bubble) {
  Worker* holder = bubble->holder.load(std::memory_order_relaxed);  // a hint
  if (holder != nullptr && holder->asleep.load(std::memory_order_relaxed) != 0)
    wake(holder);
  else
    wake_any(holder != nullptr ? crew_of(holder) : nullptr);
}

void reset_sleepers_after_fork() {
  for (auto& word : sleepers) word.store(0, std::memory_order_relaxed);
  sleeper_count.store(0, std::memory_order_relaxed);
  stand_ins.away.store(0, std::memory_order_relaxed);
}

}  // namespace tulle::sched
