// SPDX-License-Identifier: Apache-2.0
#include "sched/blocking.h"

#include "arch/cpu.h"
#include "os/clock.h"
#include "os/fence.h"
#include "sched/alarm.h"
#include "sched/placing.h"
#include "sched/signals.h"
#include "sched/sleepers.h"
#include "sched/spares.h"
#include "sched/suspension_watcher.h"
#include "sched/victims.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

bool waits_are_seen = false;
void (*see_more_waits)() = nullptr;

namespace {

// In a handler of the worker itself; else any OS thread.
bool nothing_behind(Worker* w, Caller caller) {
  Seat* seat = w->seat.load(std::memory_order_acquire);  // pairs with take_seat
  bool empty = caller == Caller::thread ? w->queue.is_empty() : w->queue.is_empty_for_handler();
  return empty && (seat == nullptr || seat->left() == 0) && placed_above(w) == 0;
}

// What waits behind `away` goes to a worker that was claimed while it slept, or was awake just now. That one may
// have begun with the first before the last of it came, and be away or asleep by now.
void give(Worker* away, Worker* to, bool claimed) {
  hand_over(away, to);
  os::hot_fence();  // before the look whether it sleeps; pairs with a sleeper's heavy fence
  if (claimed) rouse(to);
  wake(to);
}

// Who watches wants to know for how long; else nobody reads a clock.
void count_blocked(Worker* w) {
  if (TULLE_LIKELY(w->blocked_since == 0)) return;
  const uint64_t sum = w->blocked_ns.load(std::memory_order_relaxed) + os::now() - w->blocked_since;
  w->blocked_ns.store(sum, std::memory_order_relaxed);  // relaxed: a statistic
}

}  // namespace

// A signal handler may have interrupted a worker between two entities: then current() can be one that runs
// elsewhere, whose block is not the one in force here. A guest that waits
// keeps the OS thread's own entity from it too.
Worker* worker_in_region() {
  Entity* entity = current_of_os_thread();
  if (TULLE_LIKELY(entity == nullptr)) return nullptr;
  Worker* w = entity->worker;
  if (w == nullptr || w->root == entity || w->tls != arch::tls_base()) return nullptr;
  return w;
}

Worker* whom_to_steal_from(const Worker* w) {
  return another_offers(
      w, [](Runqueue& queue) { return queue.has_stealable() || queue.has_open_bubble(nullptr); });
}

// Amid a library's call that comes back by itself nothing is announced: what waits behind it would go to an OS thread
// that meets the same lock, and so to one more.
void begin_blocking(Caller caller) {
  Worker* w = worker_in_region();
  if (w == nullptr || is_inside(w) || w->blocking_depth++ != 0) return;
  if (TULLE_UNLIKELY(!w->enters_plainly) && has_sent_signals(w)) caller = Caller::maybe_handler;
  w->asleep.store(kAway, std::memory_order_release);  // pairs with cpu_number; for others by the lock below
  stand_ins.away.fetch_add(1, std::memory_order_relaxed);
  count_free_core(1);
  w->blocked_since = TULLE_UNLIKELY(suspension_watcher() != nullptr) ? os::now() : 0;
  bool something_behind = !nothing_behind(w, caller);
  if (caller == Caller::maybe_handler) {
    if (something_behind || (spare_wanted() && may_offer(w))) alarm_monitor();
  } else if (something_behind || (spare_wanted() && whom_to_steal_from(w) != nullptr)) {
    hand_on(w);
  }
}

void end_blocking() {
  Worker* w = worker_in_region();
  if (w == nullptr || is_inside(w) || w->blocking_depth == 0 || --w->blocking_depth != 0) return;
  count_blocked(w);
  come_back(w);
}

bool hand_on(Worker* away) {
  Worker* to = claim_sleeper(crew_of(away));
  bool woken = to != nullptr;
  if (!woken && !spare_wanted()) to = some_active_spare(crew_of(away));  // null: it goes to sleep just now
  if (to == nullptr)
    alarm_monitor();
  else
    give(away, to, woken);
  return woken;
}

void cover_away() {
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    // Relaxed: one that has just come back is handed a spare's help too early.
    if (w == nullptr || !is_away(w) || nothing_behind(w, Caller::thread)) continue;
    Worker* to = spare_wanted() ? nullptr : some_active_spare(crew_of(w));
    bool taken = to == nullptr;
    if (taken) to = take_spare(crew_of(w));
    if (to != nullptr) give(w, to, taken);
  }
  const Worker* offers = spare_wanted() ? whom_to_steal_from(nullptr) : nullptr;
  if (offers == nullptr) return;
  if (Worker* spare = take_spare(crew_of(offers))) rouse(spare);
}

}  // namespace tulle::sched
