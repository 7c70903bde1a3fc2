// SPDX-License-Identifier: Apache-2.0
// Spares: OS threads that carry what waits behind workers that do not come back. One that finds nothing
// to do sleeps, and is woken only to stand for somebody again: else load would make more load.
#pragma once

#include <cstdint>

#include "sched/worker.h"

namespace tulle::sched {

// A sleeping spare of the crew, or one more OS thread where none sleeps; the caller gives it work, then rouses it.
// Null: the system refuses. Takes locks.
Worker* take_spare(const Crew* crew);

// How often take_spare() has had one. Any OS thread.
uint64_t spares_taken();

// It is awake and in no blocking section. Relaxed, a hint: what is left with one that has just gone is handed on by
// it, or by the monitor at its next tick.
inline bool is_active_spare(const Worker* w) {
  return w->kind == WorkerKind::spare && w->takes_work.load(std::memory_order_relaxed) &&
         w->asleep.load(std::memory_order_relaxed) == 0;
}

// A spare of the crew that looks for work or is about to, from `index` on, which moves past it; null: no more.
Worker* next_looking(uint32_t& index, const Crew* crew);

// One that looks for work rather than not; null: none is active.
Worker* some_active_spare(const Crew* crew);

// Entities that wait behind what `w` runs, those of its seat and its bubbles included.
uint32_t waiting_at(Worker* w);

// Entities behind `from`, which does not come back, go to `to`: also those that only `from` may resume.
// Any OS thread.
void hand_over(Worker* from, Worker* to);

// Lets up to `count` OS threads of the crew beyond the usual number take work, as the monitor does when workers
// are stuck: for entities that must run at the same time.
void call_spares(uint32_t count, const Crew* crew);

}  // namespace tulle::sched
