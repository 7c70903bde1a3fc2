// SPDX-License-Identifier: Apache-2.0
#include "sched/give_way.h"

#include "os/clock.h"
#include "sched/blocking.h"
#include "sched/durations.h"
#include "sched/placing.h"
#include "sched/suspend.h"
#include "sched/victims.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

// Others' runqueues are asked, and the operating system, after so many turns of entities here: a look at
// each worker costs as much as a turn or two, a system call as much as five.
constexpr uint32_t kTurnsBetween = 16;

bool something_begins_here(Worker* w) {
  Seat* seat = w->seat.load(std::memory_order_relaxed);  // W: w itself
  return (seat != nullptr && seat->left() != 0) || something_unbegun(w);
}

// What may go on in any name waits here for its own: if all names were kept by those who wait for it, it would get none.
void step_aside_in_name() {
  Frame* frame = current()->frame;
  OnReady on_ready = frame->on_ready;
  frame->on_ready = nullptr;
  step_aside(true);
  frame->on_ready = on_ready;
}

}  // namespace

// Relaxed in all: the worker's own, which the monitor looks at (is_stuck).
void begin_inside() {
  Worker* w = worker_in_region();
  if (w != nullptr) w->inside.store(w->inside.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
}

void end_inside() {
  Worker* w = worker_in_region();
  if (w == nullptr) return;
  uint32_t depth = w->inside.load(std::memory_order_relaxed);
  if (depth != 0) w->inside.store(depth - 1, std::memory_order_relaxed);
}

bool is_inside_library() {
  const Worker* w = worker_in_region();
  return w != nullptr && is_inside(w);
}

void give_way(Worker* w, Name name) {
  bool begins = something_begins_here(w);
  bool others = w->queue.has_entities() || (name == Name::free && current()->has_ready());
  bool round_ends = ++w->turns % kTurnsBetween == 0;
  bool steals = !begins && (!others || round_ends) && something_for(w);
  bool alone = !begins && !others && !steals;
  if (alone || round_ends) os::yield_core();
  if (alone) return;
  give_turn(w, begins || steals);
  w->steals_first = steals;
  if (name == Name::free)
    step_aside();
  else
    step_aside_in_name();
}

bool locks_keep_others(Worker* w) {
  if (TULLE_LIKELY(++w->program_locks % durations::kLocksBetween != 0)) return false;
  const uint64_t now = os::now();
  if (now - w->locks_passed_at < durations::kLocksPatience) return false;
  w->locks_passed_at = now;
  return true;
}

const Worker* waits_for_help(const Worker* w) {
  if (w->kind == WorkerKind::foreign && !steals_for_region(w)) return nullptr;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* other = all_workers[i].load(std::memory_order_relaxed);
    if (other == nullptr || other == w || !are_mates(w, other)) continue;
    if (other->queue.has_stealable()) return other;
    if (other->queue.has_open_bubble(w)) return other;
  }
  return nullptr;
}

void give_way_to_overdue(Worker* w) {
  if (w->root != current()) step_aside(true);
}

}  // namespace tulle::sched
