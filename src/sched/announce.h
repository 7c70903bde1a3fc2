// SPDX-License-Identifier: Apache-2.0
// Bubbles that idle workers find, and seats that workers poll.
#pragma once

#include "sched/worker.h"

namespace tulle::sched {

// Puts a bubble where idle workers find it, with a hot fence; wakes nobody (sched/waking.h). Owner only; pairs with withdraw().
void announce(Bubble* bubble, Worker* holder);
void withdraw(Bubble* bubble);
// Any thread, one at a time: from now on the bubble may open again and again. It is put into
// `holder`'s runqueue if it was in none, or where it was before.
void announce_for_good(Bubble* bubble, Worker* holder);

// What is published at `seat` is for its worker, who does not poll it: that looks there before it looks at others' runqueues.
// Owner of the bubble, after it has published the claims and before it passes the fence.
void point_to(Seat* seat);
// The seat that the worker was last pointed to, if something is left for it there; null: none. The worker itself.
inline Seat* pointed_to(const Worker* worker) {
  Seat* seat = worker->pointed_to.load(std::memory_order_acquire);  // pairs with point_to
  // A seat of before fork() is another worker's.
  return seat != nullptr && seat->worker == worker && seat->left() != 0 ? seat : nullptr;
}

// The worker polls `seat` no more.
inline void note_departure(Seat* seat) { seat->bubble->departures.fetch_add(1, std::memory_order_relaxed); }

// Says whether each entity of the bubble has a seat of its own. Owner, before it publishes them.
void set_seated(Bubble* bubble, bool seated);
// The worker polls `seat` from now on, unless the seat that it polled needs it. The worker itself.
void take_seat(Worker* worker, Seat* seat);
// The worker is about to run something that does not belong to the seat that it polls, and polls none
// from now on. False: the seat needs it now. The worker itself.
bool leave_seat(Worker* worker);
// The same before it runs an entity, or serves a bubble (null: what belongs to none). The seat's own it runs from there:
// the region in force cannot end, and no other be published, before that has returned.
bool leave_seat_for(Worker* worker, const Bubble* bubble);

// In the child after fork().
void reset_seats_after_fork();

}  // namespace tulle::sched
