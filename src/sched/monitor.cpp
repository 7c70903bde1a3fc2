// SPDX-License-Identifier: Apache-2.0
// The monitor: an OS thread that sleeps until somebody leaves work behind a running entity, and
// then looks, once a tick, for workers that made no scheduling decision since the last look. What
// such a worker runs may spin on a flag that only the work behind it will set, or sleep in a system
// call: its runqueue goes to a worker that is free, a spare one if there is none. Who computes is left
// alone for longer (sched/watch.h). Spares double as long as nothing moves. A spare that finds nothing
// to do sleeps and is used again. One that looks for work, or that a busy machine has not run yet,
// stands for another one: else load makes more load.
#include "sched/monitor.h"

#include <algorithm>

#include "arch/cpu.h"
#include "base/hash.h"
#include "memory/stack_pool.h"
#include "os/clock.h"
#include "os/report.h"
#include "os/thread.h"
#include "sched/alarm.h"
#include "sched/blocking.h"
#include "sched/durations.h"
#include "sched/motion.h"
#include "sched/placing.h"
#include "sched/poller.h"
#include "sched/pool.h"
#include "sched/program_wait.h"
#include "sched/publish.h"
#include "sched/settings.h"
#include "sched/sleepers.h"
#include "sched/spares.h"
#include "sched/worker.h"
#include "sched/worker_tree.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

uint32_t burst = 1;         // W: monitor; spares for the next burst without progress
uint32_t rest = 0;          // W: monitor; ticks until then
uint64_t trimmed_at = 0;    // W: monitor
bool moving_spares = false;  // W: monitor; at its last look some spare was awake and not stuck
bool away_waits = false;     // W: monitor; something waited behind a worker that was away

// It waits for the lock of the library that it is in, or its core is others': a spare would meet the same.
bool comes_back(const Worker* w) { return is_inside(w) && w->stuck_ticks < durations::kPatientTicks; }

bool seems_stuck(Worker* w, bool work_waits) {
  uint64_t steps = w->steps.load(std::memory_order_relaxed);  // relaxed: compared with itself
  if (!w->busy.load(std::memory_order_relaxed) || steps != w->steps_seen) {
    w->steps_seen = steps;
    w->stuck_ticks = 0;
    return false;
  }
  int kernel_id = w->kernel_id.load(std::memory_order_relaxed);
  uint64_t cpu_time = os::cpu_time_of(kernel_id);
  if (++w->stuck_ticks == 1) {
    w->cpu_time_seen = cpu_time;
    w->watch.begin();
  }
  if (w->stuck_ticks < durations::kBlockedTicks) return false;
  if (comes_back(w)) return false;
  Advance advance =
      work_waits ? w->watch.look(kernel_id, cpu_time, settings().monitor_tick_ns / 2) : Advance::unknown;
  Entity* entity = w->running.load(std::memory_order_acquire);  // pairs with enter
  if (w->stuck_ticks < durations::kRunningTicks) {
    if (!os::is_blocked_in_kernel(kernel_id)) return false;
    const bool sleeps = work_waits && cpu_time == w->cpu_time_seen && os::sleeps_in_kernel(kernel_id);
    if (sleeps && entity != nullptr && settings().on_sleep != nullptr) settings().on_sleep(entity);
    return true;
  }
  if (w->stuck_ticks >= durations::kPatientTicks) return true;
  // Others had the core meanwhile, and a spare would wait for it too, unless spares are the others.
  if (!ran_since(w, cpu_time) && !spares_are_awake()) return false;
  if (advance == Advance::in_place && entity != nullptr && settings().on_spin != nullptr)
    settings().on_spin(entity);
  // All cores have something to do: what waits loses nothing by waiting.
  return advance != Advance::onwards || somebody_sleeps();
}

// A busy machine may keep the monitor from its core amid its look, while the worker goes on or into a library.
bool is_stuck(Worker* w, bool work_waits) {
  return seems_stuck(w, work_waits) && w->steps.load(std::memory_order_relaxed) == w->steps_seen && !comes_back(w);
}

void note_stuck(Worker* w, bool stuck) {
  // Relaxed: whoever looks compares it with the steps.
  uint64_t at = stuck ? w->steps_seen : UINT64_MAX;
  if (w->stuck_at.load(std::memory_order_relaxed) != at)
    w->stuck_at.store(at, std::memory_order_relaxed);
}

// What has waited longest behind `w` to begin, as a digest.
uint64_t unbegun_front(const Worker* w, uint64_t of_queue) {
  Seat* seat = w->seat.load(std::memory_order_acquire);  // a hint; pairs with take_seat
  uint32_t generation = 0;
  bool open = seat != nullptr && seat->claims.open_in(generation);
  uint64_t of_seat = open ? golden_hash(golden_hash(golden_hash(seat), generation), seat->left()) : 0;
  return golden_hash(golden_hash(of_queue, of_seat), placed_above(w));
}

// Relaxed in all: it is asked again at the next tick.
void ask_if_overdue(Worker* w, uint32_t waits) {
  bool counts = waits != 0 && w->busy.load(std::memory_order_relaxed);
  Runqueue::Fronts fronts = counts ? w->queue.fronts() : Runqueue::Fronts{0, 0};
  bool ready = w->ready_since.tick(fronts.ready);
  bool unbegun = w->unbegun_since.tick(counts ? unbegun_front(w, fronts.unbegun) : 0);
  if (ready || unbegun)
    w->entities_last.store(std::min(waits, durations::kTurnsWhenOverdue), std::memory_order_relaxed);
}

// What one look at all workers finds.
struct Look {
  uint32_t waiting = 0;  // entities that wait anywhere
  uint32_t stuck = 0;    // workers that do not come back to entities behind them
  Worker* blocked[64];   // the first of these

  void add(Worker* w) {
    if (stuck < 64) blocked[stuck] = w;
    ++stuck;
  }
};

// Behind those that are away something waits as long as no spare moves that could come by.
void add_away(Look& found) {
  bool waits = false;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    if (w == nullptr || !is_away(w)) continue;
    w->steps_seen = w->steps.load(std::memory_order_relaxed);
    w->stuck_ticks = 0;
    note_stuck(w, true);
    if (waiting_at(w) == 0) continue;
    waits = true;
    if (!moving_spares || spare_wanted()) found.add(w);
  }
  away_waits = waits;
}

Look look() {
  Look found;
  moving_spares = false;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    if (w == nullptr) continue;
    uint32_t waits = waiting_at(w);
    found.waiting += waits;
    if (is_away(w)) continue;
    bool spare = is_active_spare(w);  // it stands for those that are away, unless it is stuck itself
    bool stuck = is_stuck(w, waits != 0 || (spare && away_waits));
    note_stuck(w, stuck);
    ask_if_overdue(w, waits);
    moving_spares = moving_spares || (spare && !stuck);
    if (stuck && waits != 0) found.add(w);
  }
  add_away(found);
  return found;
}

// Memory that a burst has left behind. True: there may be more of it.
bool trim() {
  uint64_t now = os::now();
  if (now - trimmed_at < durations::kBetweenTrims) return true;
  trimmed_at = now;
  bool more = settings().on_trim != nullptr && settings().on_trim();
  return memory::trim_stacks() || more;
}

// Tasks that the limit of stacks keeps from beginning: workers found nothing else, and sleep.
bool a_stack_is_due() {
  return memory::stack_limit_reached() && !memory::stacks_are_short(durations::kBetweenStacksBeyond);
}

// True if work waits anywhere.
bool tick() {
  tick_placed();
  trim();
  Look found = look();
  bool program_waits = tick_program_waits();
  bool deferred = something_deferred();
  if (deferred) tick_deferrals(found.waiting != 0 ? Motion::onwards : motion());
  if (found.stuck == 0) {
    burst = 1;
    rest = 0;
    if (found.waiting != 0 && TULLE_UNLIKELY(a_stack_is_due()) && somebody_sleeps()) wake_one_of_each_crew();
    return found.waiting != 0 || deferred || program_waits;
  }
  if (rest != 0) {
    --rest;
    return true;
  }
  rest = durations::kBurstTicks;
  if (waits_are_seen && see_more_waits != nullptr) see_more_waits();
  if (somebody_sleeps()) wake_one_of_each_crew();
  uint32_t wanted = burst < found.waiting ? burst : found.waiting;
  uint32_t index = 0;
  for (uint32_t made = 0; made < wanted; ++made) {
    const Crew* crew = crew_of(found.blocked[made % std::min(found.stuck, 64u)]);
    Worker* spare = next_looking(index, crew);
    if (spare == nullptr) spare = take_spare(crew);
    if (spare == nullptr) break;
    for (uint32_t i = made; i < found.stuck && i < 64; i += wanted)
      if (crew_of(found.blocked[i]) == crew) hand_over(found.blocked[i], spare);
    rouse(spare);
    wake(spare);  // it may have begun with the first of what it was given, and be away by now
  }
  if (burst < 256) burst *= 2;
  return true;
}

// Who queues a task does not arm the monitor: it watches while a team may have some.
bool tasks_may_come() {
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    if (w != nullptr && w->queue.may_reopen()) return true;
  }
  return false;
}

// Only threads of the program outside of regions run anything, so that a task which comes finds somebody to wake. Relaxed:
// ordered by the heavy fence, or asked again.
bool all_sleep() {
  bool taker_sleeps = false, somebody_runs = false;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    if (w == nullptr) continue;
    const bool foreign = w->kind == WorkerKind::foreign;
    if (w->asleep.load(std::memory_order_relaxed) == kAsleep) {
      taker_sleeps = taker_sleeps || (!foreign && crew_of(w) == nullptr);
      continue;
    }
    if (!foreign || !w->busy.load(std::memory_order_relaxed) || w->running.load(std::memory_order_relaxed) != tulle::look(w->root))
      return false;
    somebody_runs = true;
  }
  return taker_sleeps || !somebody_runs;
}

bool tasks_need_it() { return tasks_may_come() && !all_sleep(); }

// Returns after `period`, or when the pool ends. Meanwhile it acts for workers that are away, and asks for
// what workers that compute do not come to ask for.
void wait_a_tick(uint64_t period) {
  uint64_t now = os::now(), end = now + period;
  for (; now < end && pool_ends.load(std::memory_order_acquire) == 0; now = os::now()) {
    bool asks = something_awaited() && end - now > durations::kMonitorPatience;
    if (await_alarm(asks ? durations::kMonitorPatience : end - now)) {
      end_looking_waits();
      cover_away();
    }
    if (asks) ask_pollers_after(durations::kMonitorPatience);
  }
}

void* monitor_main(void*) {
  os::name_thread("tulle monitor");
  burst = 1;
  unbind_thread();
  uint32_t quiet = 0;
  for (;;) {
    wait_a_tick(settings().monitor_tick_ns * (quiet < durations::kQuietTicks ? 1 : durations::kSlowTicks));
    if (pool_ends.load(std::memory_order_acquire) != 0) break;
    quiet = tick() ? 0 : quiet + 1;
    if (quiet < durations::kQuietTicks || tasks_need_it() || something_awaited()) continue;
    quiet = 0;
    leave_tasks_to_sleepers(tasks_may_come());
    disarm_monitor();
    if (tick() || tasks_need_it() || something_awaited()) arm_monitor();
    while (trim())
      if (await_arming(durations::kBetweenTrims)) break;
    await_arming(kEndless);
    leave_tasks_to_sleepers(false);
  }
  count_thread_end();
  return nullptr;
}

}  // namespace

bool start_monitor() {
  os::keep_signal_mask();
  return start_counted_thread(monitor_main, nullptr, os::Signals::blocked);
}

}  // namespace tulle::sched
