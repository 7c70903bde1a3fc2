// SPDX-License-Identifier: Apache-2.0
// Giving way without anything to wait for: what sched_yield() means in a region. Whoever calls it in a loop
// waits for somebody that the runtime does not know: first for one that would run on this worker, then for
// what waits behind other workers, at last for another OS thread. Each gets its turn: entities in the order
// in which they came, what has not begun before those that have, and the operating system after each round.
#pragma once

#include "sched/worker.h"

namespace tulle::sched {

// Whether others may run in the caller's name meanwhile. Where they could be waiting for a lock that the caller
// holds they may not: it goes on before all else of its entity, and in its own name.
enum class Name : uint8_t { free, kept };

// The worker runs an entity in a region, and is in no blocking section; the caller is inside no library.
TULLE_MAY_SUSPEND void give_way(Worker* worker, Name name);

// Spares are awake, and the worker's entity is about to take a lock of the program's own. Whoever takes one again and again may look each time for
// what only others will do that share its core: true where those are to have it now.
bool locks_keep_others(Worker* worker);

// Something has waited for too long behind the worker, which has come to a step: the same, but for what lies below
// the caller's frames, and only inside of regions.
TULLE_MAY_SUSPEND void give_way_to_overdue(Worker* worker);

// The calling OS thread is amid a call of a library whose state belongs to that thread, and which comes back by itself.
// Calls nest. In a region; elsewhere there is nothing to do.
void begin_inside();
void end_inside();
bool is_inside_library();

// A hint, at the cost of a look at every runqueue: a worker that has something for this one to take, were it without
// its current entity; null: none has.
const Worker* waits_for_help(const Worker* worker);

}  // namespace tulle::sched
