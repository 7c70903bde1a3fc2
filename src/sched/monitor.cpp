// SPDX-License-Identifier: Apache-2.0
// The monitor: an OS thread that sleeps until somebody leaves work behind a running entity, and
// then looks, once a tick, for workers that made no scheduling decision since the last look. What
// such a worker runs may spin on a flag that only the work behind it will set, or sleep in a system
// call: its runqueue goes to a worker that is free, a spare one if there is none. Who computes is left
// alone for longer (sched/watch.h). Spares double as long as nothing moves. A spare that finds nothing
// to do retires here and is used again. One that looks for work, or that a busy machine has not run yet,
// stands for another one: else load makes more load.
// Ordering: who leaves work behind pushes it, passes a hot fence and reads `armed`; the monitor clears
// `armed`, issues the heavy fence and looks at all runqueues: one of the two sees the other.
#include <algorithm>

#include "os/clock.h"
#include "os/fence.h"
#include "os/futex.h"
#include "os/report.h"
#include "os/thread.h"
#include "sched/internal.h"
#include "sched/poller.h"

namespace tulle::sched {

namespace {

// Ticks without a decision before a worker counts as stuck: asleep in the kernel, or running.
constexpr uint32_t kBlockedTicks = 2;
constexpr uint32_t kRunningTicks = 10;
// The same if it may yet come by itself: others have its core, or it computes and no core is idle.
constexpr uint32_t kPatientTicks = 100;
constexpr uint32_t kBurstTicks = 3;  // between one burst of spares and the next
constexpr uint32_t kQuietTicks = 50;  // without waiting work before the monitor sleeps
constexpr uint32_t kSlowTicks = 10;   // after these, between two looks while tasks may come

std::atomic<uint32_t> armed{0};  // futex word: 1 while the monitor ticks
std::atomic<bool> started{false};
TULLE_HELD_AT_FORK sync::Spinlock retired_lock;
Worker* retired = nullptr;  // under retired_lock, through next_free
std::atomic<uint32_t> spares_out{0};  // called and not retired; relaxed: a hint
uint32_t burst = 1;         // W: monitor; spares for the next burst without progress
uint32_t rest = 0;          // W: monitor; ticks until then

// Entities that wait behind what `w` runs.
uint32_t waiting_at(Worker* w) {
  Seat* seat = w->seat.load(std::memory_order_acquire);  // a hint; pairs with take_seat
  return w->queue.waiting() + (seat != nullptr ? seat->left() : 0) + placed_behind(w);
}

bool is_stuck(Worker* w, bool work_waits) {
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
  if (w->stuck_ticks < kBlockedTicks) return false;
  uint64_t tick = settings().monitor_tick_ns;
  Advance advance = work_waits ? w->watch.look(kernel_id, cpu_time, tick / 2) : Advance::unknown;
  if (w->stuck_ticks < kRunningTicks) return os::is_blocked_in_kernel(kernel_id);
  if (w->stuck_ticks >= kPatientTicks) return true;
  // Others had the core meanwhile, and a spare would wait for it too, unless spares are the others.
  bool ran = cpu_time - w->cpu_time_seen >= tick * (kRunningTicks - 1);
  if (!ran && spares_out.load(std::memory_order_relaxed) == 0) return false;
  Entity* entity = w->running.load(std::memory_order_relaxed);
  if (advance == Advance::in_place && entity != nullptr && settings().on_spin != nullptr)
    settings().on_spin(entity);
  // All cores have something to do: what waits loses nothing by waiting.
  return advance != Advance::onwards || somebody_sleeps();
}

// Whoever has run for long without a step spins; who sleeps in the kernel or has not got its core may go on,
// and so may who was woken. A foreign OS thread outside of regions has at most a lock from before.
Motion motion_of(Worker* w) {
  // Relaxed in all: asked again at the next tick.
  if (!w->busy.load(std::memory_order_relaxed)) {
    bool looks = w->takes_work.load(std::memory_order_relaxed) && settings().spin_ns != kEndless &&
                 w->asleep.load(std::memory_order_relaxed) == 0;
    return looks ? Motion::onwards : Motion::none;
  }
  Entity* running = w->running.load(std::memory_order_relaxed);
  if (w->kind == WorkerKind::foreign && (running == nullptr || running == w->root))
    return Motion::in_place;
  if (w->stuck_ticks == 0) return Motion::onwards;
  uint64_t cpu_time = os::cpu_time_of(w->kernel_id.load(std::memory_order_relaxed));
  bool ran = cpu_time - w->cpu_time_seen >= settings().monitor_tick_ns * (kRunningTicks - 1);
  return ran ? Motion::in_place : Motion::onwards;
}

Motion motion() {
  Motion most = Motion::none;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i)
    if (Worker* w = all_workers[i].load(std::memory_order_relaxed)) most = std::max(most, motion_of(w));
  return most;
}

void note_stuck(Worker* w, bool stuck) {
  // Relaxed: whoever looks compares it with the steps.
  uint64_t at = stuck ? w->steps_seen : UINT64_MAX;
  if (w->stuck_at.load(std::memory_order_relaxed) != at)
    w->stuck_at.store(at, std::memory_order_relaxed);
}

Worker* take_retired() {
  sync::Guard guard(retired_lock);
  Worker* w = retired;
  if (w != nullptr) retired = w->next_free;
  return w;
}

Worker* take_spare() {
  Worker* w = take_retired();
  if (w == nullptr) w = start_spare();
  if (w != nullptr) spares_out.fetch_add(1, std::memory_order_relaxed);
  return w;
}

// The next spare from `index` on that looks for work or is about to; null: no more.
Worker* next_looking(uint32_t& index) {
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  while (index < count) {
    Worker* w = all_workers[index++].load(std::memory_order_relaxed);
    // Relaxed: who finds it at work or asleep after all is as well off as with one that has just begun.
    if (w != nullptr && w->kind == WorkerKind::spare && w->takes_work.load(std::memory_order_relaxed) &&
        !w->busy.load(std::memory_order_relaxed) && w->asleep.load(std::memory_order_relaxed) == 0)
      return w;
  }
  return nullptr;
}

// How many of `wanted` more spares what waits anywhere has use for.
uint32_t useful_spares(uint32_t wanted) {
  uint32_t waiting = 0, looking = 0, index = 0;
  while (next_looking(index) != nullptr) ++looking;
  if (looking == 0) return wanted;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count && waiting < looking + wanted; ++i)
    if (Worker* w = all_workers[i].load(std::memory_order_relaxed)) waiting += waiting_at(w);
  return waiting > looking ? std::min(wanted, waiting - looking) : 0;
}

// The stuck worker's entities go to `to`: also those that only the stuck one may resume.
void hand_over(Worker* from, Worker* to) {
  // Relaxed: the spare sees it at the latest when it looks again.
  to->leaf.store(from->leaf.load(std::memory_order_relaxed), std::memory_order_relaxed);
  Entity* entity = from->queue.take_all();
  while (entity != nullptr) {
    Entity* next = entity->next_in_queue;
    bool movable = true;
    for (Ult* ult = entity->pick(); ult != nullptr; ult = ult->next)
      movable = movable && ult->context != nullptr;
    for (Ult* ult = entity->pick(); movable && ult != nullptr; ult = ult->next)
      if (ult->bound == from) ult->bound = to;
    (movable ? to : from)->queue.push_bound(entity);
    entity = next;
  }
}

// What one look at all workers finds.
struct Look {
  uint32_t waiting = 0;  // entities that wait anywhere
  uint32_t stuck = 0;    // workers that do not come back to entities behind them
  Worker* blocked[64];   // the first of these
};

Look look() {
  Look found;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    if (w == nullptr) continue;
    uint32_t waits = waiting_at(w);
    found.waiting += waits;
    bool stuck = is_stuck(w, waits != 0);
    note_stuck(w, stuck);
    if (!stuck || waits == 0) continue;
    if (found.stuck < 64) found.blocked[found.stuck] = w;
    ++found.stuck;
  }
  return found;
}

// True if work waits anywhere.
bool tick() {
  tick_placed();
  Look found = look();
  bool deferred = something_deferred();
  if (deferred) tick_deferrals(found.waiting != 0 ? Motion::onwards : motion());
  if (found.stuck == 0) {
    burst = 1;
    rest = 0;
    return found.waiting != 0 || deferred;
  }
  if (rest != 0) {
    --rest;
    return true;
  }
  rest = kBurstTicks;
  if (somebody_sleeps()) wake_any();
  uint32_t wanted = burst < found.waiting ? burst : found.waiting;
  uint32_t index = 0;
  for (uint32_t made = 0; made < wanted; ++made) {
    Worker* spare = next_looking(index);
    if (spare == nullptr) spare = take_spare();
    if (spare == nullptr) break;
    for (uint32_t i = made; i < found.stuck && i < 64; i += wanted)
      hand_over(found.blocked[i], spare);
    wake(spare);
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

// One tick, or many at once. What workers that compute do not come to ask for is asked for here.
void wait_a_tick(uint64_t time) {
  for (uint64_t left = time; pool_ends.load(std::memory_order_relaxed) == 0;) {  // relaxed: asked again
    bool asks = something_awaited() && left > kMonitorPatience;
    if (!asks) {
      os::futex_wait_for(pool_ends, 0, left);
      return;
    }
    os::futex_wait_for(pool_ends, 0, kMonitorPatience);
    ask_pollers_after(kMonitorPatience);
    left -= kMonitorPatience;
  }
}

void* monitor_main(void*) {
  unbind_thread();
  uint32_t quiet = 0;
  for (;;) {
    wait_a_tick(settings().monitor_tick_ns * (quiet < kQuietTicks ? 1 : kSlowTicks));
    if (pool_ends.load(std::memory_order_acquire) != 0) break;
    quiet = tick() ? 0 : quiet + 1;
    if (quiet < kQuietTicks || tasks_may_come() || something_awaited()) continue;
    quiet = 0;
    armed.store(0, std::memory_order_relaxed);  // ordered by the heavy fence
    os::heavy_fence();
    if (tick() || tasks_may_come() || something_awaited()) armed.store(1, std::memory_order_relaxed);
    while (armed.load(std::memory_order_relaxed) == 0 &&
           pool_ends.load(std::memory_order_acquire) == 0)  // set before wake_monitor() arms
      os::futex_wait(armed, 0);
  }
  count_thread_end();
  return nullptr;
}

TULLE_COLD void arm_slow() {
  if (armed.exchange(1, std::memory_order_relaxed) != 0) return;
  if (started.exchange(true, std::memory_order_relaxed)) {
    os::futex_wake(armed, 1);
    return;
  }
  os::keep_signal_mask();
  if (!start_counted_thread(monitor_main, nullptr, os::Signals::blocked)) {
    started.store(false, std::memory_order_relaxed);
    armed.store(0, std::memory_order_relaxed);  // the next one to leave work behind tries again
  }
}

}  // namespace

void arm_monitor() {
  if (TULLE_UNLIKELY(armed.load(std::memory_order_relaxed) == 0)) arm_slow();
}

void call_spares(uint32_t count) {
  count = useful_spares(count);
  for (uint32_t i = 0; i < count; ++i) {
    Worker* spare = take_spare();
    if (spare == nullptr) return;
    wake(spare);
  }
}

void retire_spare(Worker* w) {
  sync::Guard guard(retired_lock);
  for (Worker* other = retired; other != nullptr; other = other->next_free)
    if (other == w) return;
  w->next_free = retired;
  retired = w;
  spares_out.fetch_sub(1, std::memory_order_relaxed);
}

void wake_monitor() {
  armed.store(1, std::memory_order_relaxed);
  os::futex_wake(armed, 1);
}

void reset_monitor() {
  armed.store(0, std::memory_order_relaxed);
  started.store(false, std::memory_order_relaxed);
  retired = nullptr;
  spares_out.store(0, std::memory_order_relaxed);
  burst = 1;
}

}  // namespace tulle::sched
