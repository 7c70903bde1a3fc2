// SPDX-License-Identifier: Apache-2.0
// Blocking sections: the calling entity is about to wait, with its OS thread, for something that the
// runtime does not see. What waits behind its worker is handed on at once, and so is what comes to wait
// there before the section ends; then the entity goes on where it was, on its worker. Sections nest. Nothing
// in one may suspend.
//
// Ordering: the worker says that it is away, then looks at its runqueue under that one's lock; who queues
// an entity there does it under the lock and looks at `asleep` afterwards. One of the two hands it on. Work
// that comes to wait elsewhere while a core is free may be seen late, by the monitor.
#pragma once

#include "sched/sleepers.h"
#include "sched/worker.h"

namespace tulle::sched {

// Whether the C library's waits tell the runtime of themselves (src/abi/libc). W: configure().
extern TULLE_NEAR bool waits_are_seen;
// Has modules that found the C library's own waits find ours. Null, or W: a constructor; the monitor calls it.
extern void (*see_more_waits)();

// Where a signal handler may be the caller no lock is taken: the monitor hands on.
enum class Caller : uint8_t { thread, maybe_handler };

// Of the calling OS thread; outside of regions there is nothing to do. errno stays.
void begin_blocking(Caller caller);
void end_blocking();

// The worker of the calling OS thread if it runs an entity in a region; null otherwise.
Worker* worker_in_region();

// At the cost of a few loads: it is null. False says nothing.
inline bool is_outside_of_regions() {
  auto word = reinterpret_cast<intptr_t>(arch::current_pointer());
  if (TULLE_LIKELY(word == 0)) return true;
  if (TULLE_UNLIKELY(word < 0)) return false;  // beside guests
  const auto* entity = reinterpret_cast<const Entity*>(word);
  const Worker* w = entity->worker;
  return w == nullptr || w->root == entity;
}

// Another worker than `w` of its crew, or of any where it is null, behind which something waits that anybody could run;
// null: none. Takes locks.
Worker* whom_to_steal_from(const Worker* w);

inline void come_back(Worker* w) {
  w->asleep.store(0, std::memory_order_relaxed);  // who saw it away has handed on what it brought
  stand_ins.away.fetch_sub(1, std::memory_order_relaxed);
  count_free_core(-1);
}

// The worker's loop goes on: what began a section or a library's call on it has suspended after all.
inline void forget_blocking(Worker* w) {
  if (TULLE_UNLIKELY(is_inside(w))) w->inside.store(0, std::memory_order_relaxed);
  if (TULLE_LIKELY(w->blocking_depth == 0)) return;
  w->blocking_depth = 0;
  come_back(w);
}

// What waits behind `away`, which is in a blocking section, goes to a free worker or a spare, if there is
// a use for one. True: somebody was woken. Any OS thread, in no signal handler.
bool hand_on(Worker* away);

// The monitor's share: starts the spares that hand_on() did not find.
void cover_away();

}  // namespace tulle::sched
