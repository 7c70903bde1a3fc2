// SPDX-License-Identifier: Apache-2.0
#include "sched/give_way.h"

#include "sched/blocking.h"
#include "sched/placing.h"
#include "sched/suspend.h"
#include "sched/victims.h"
#include "sched/worker.h"
#include "sync/spinlock.h"

namespace tulle::sched {

namespace {

// Others' runqueues are asked, and the operating system, after so many turns of entities here: a look at
// each worker costs as much as a turn or two, a system call as much as five.
constexpr uint32_t kTurnsBetween = 16;

bool something_begins_here(Worker* w) {
  Seat* seat = w->seat.load(std::memory_order_relaxed);  // W: w itself
  return (seat != nullptr && seat->left() != 0) || something_unbegun(w);
}

bool something_for(const Worker* w) {
  return w->kind != WorkerKind::foreign ? something_to_steal(w) : steals_for_region(w) && some_entity_to_steal(w);
}

// What may go on in any name waits here for its own: if all names were kept by those who wait for it, it would get none.
void step_aside_in_name() {
  Frame* frame = current()->frame;
  OnReady on_ready = frame->on_ready;
  frame->on_ready = nullptr;
  step_aside(true);
  frame->on_ready = on_ready;
}

constexpr uint32_t kMostLibraries = 8;

TULLE_HELD_AT_FORK sync::Spinlock registering;
Inside libraries[kMostLibraries];
std::atomic<uint32_t> library_count{0};  // release: the entry is written; pairs with is_inside_library

}  // namespace

bool register_inside(Inside inside) {
  sync::Guard guard(registering);
  uint32_t count = library_count.load(std::memory_order_relaxed);  // W: under the lock
  if (count == kMostLibraries) return false;
  libraries[count] = inside;
  library_count.store(count + 1, std::memory_order_release);
  return true;
}

bool is_inside_library() {
  uint32_t count = library_count.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < count; ++i)
    if (libraries[i]() != 0) return true;
  return false;
}

void give_way(Worker* w, Name name) {
  bool begins = something_begins_here(w);
  bool others = w->queue.has_entities() || (name == Name::free && current()->has_ready());
  bool round_ends = ++w->turns % kTurnsBetween == 0;
  bool steals = !begins && (!others || round_ends) && something_for(w);
  bool alone = !begins && !others && !steals;
  if (alone || round_ends) os::yield_core();
  if (alone) return;
  w->entities_last.store(begins || steals, std::memory_order_relaxed);  // R: itself
  w->steals_first = steals;
  if (name == Name::free)
    step_aside();
  else
    step_aside_in_name();
}

void give_way_to_overdue(Worker* w) {
  if (w->root != current()) step_aside(true);
}

}  // namespace tulle::sched
