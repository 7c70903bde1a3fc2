// SPDX-License-Identifier: Apache-2.0
// Announcing bubbles, and seats: which one a worker polls is written by the worker alone.
// Ordering: a worker that leaves its seat stores that, passes a hot fence and reads `seated`; if that is
// set it issues the heavy fence and reads the claims. set_seated stores `seated` and issues the heavy
// fence; the publisher stores the claims, passes a hot fence and reads who polls. So a publisher that
// relies on a seated worker is seen by it, and any other announces its bubble.
#include "sched/announce.h"

#include "os/fence.h"
#include "sched/publish.h"
#include "sched/shared_fence.h"
#include "sched/worker.h"

namespace tulle::sched {

namespace {

// Where threads of a large team have regions of their own, many leave at once for those of others.
SharedFence<> fence_of_leavers;

void pass_heavy_fence() {
  if (!os::asymmetric_fences) return os::heavy_fence();
  fence_of_leavers.pass(0, [] { return true; }, [] { return false; });
}

}  // namespace

void reset_seats_after_fork() { fence_of_leavers.reset(); }

void point_to(Seat* seat) {
  std::atomic<Seat*>& pointer = seat->worker->pointed_to;
  if (pointer.load(std::memory_order_relaxed) != seat) pointer.store(seat, std::memory_order_release);
}

void announce(Bubble* bubble, Worker* holder) {
  holder->queue.push_bubble(bubble, holder);
  publish({nullptr, false}, Attention::always);
}

void announce_for_good(Bubble* bubble, Worker* holder) {
  bubble->may_reopen.store(true, std::memory_order_relaxed);  // ordered by the runqueue's lock
  holder->queue.push_bubble(bubble, holder);
  publish({nullptr, false}, Attention::always);  // who makes its tasks does not arm the monitor
}

void set_seated(Bubble* bubble, bool seated) {
  if (bubble->seated.load(std::memory_order_relaxed) == seated) return;
  bubble->seated.store(seated, std::memory_order_relaxed);
  // A worker that left a seat of the bubble and did not see this is seen to have left.
  if (seated) os::heavy_fence();
}

bool leave_seat(Worker* w) {
  Seat* seat = w->seat.load(std::memory_order_relaxed);
  if (seat == nullptr) return true;
  w->seat.store(nullptr, std::memory_order_relaxed);  // relaxed: fenced below or in set_seated
  note_departure(seat);
  os::hot_fence();  // before the look at `seated`; pairs with the heavy fence in set_seated
  if (!seat->bubble->seated.load(std::memory_order_relaxed)) return true;
  pass_heavy_fence();  // pairs with the publisher's hot fence
  if (seat->left() == 0) return true;
  // Its publisher saw us at the seat, or announces it. Release: pairs with the monitor's load.
  w->seat.store(seat, std::memory_order_release);
  return false;
}

bool leave_seat_for(Worker* w, const Bubble* bubble) {
  Seat* seat = w->seat.load(std::memory_order_relaxed);  // W: w itself
  return (seat != nullptr && seat->bubble == bubble) || leave_seat(w);
}

void take_seat(Worker* w, Seat* seat) {
  if (w->seat.load(std::memory_order_relaxed) != seat && leave_seat(w))
    // An encountering thread that does not see it announces the bubble. Release: pairs with the monitor's load.
    w->seat.store(seat, std::memory_order_release);
}

void withdraw(Bubble* bubble) {
  bubble->holder.load(std::memory_order_relaxed)->queue.remove_bubble(bubble);  // nobody announces it
}

}  // namespace tulle::sched
