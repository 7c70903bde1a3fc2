// SPDX-License-Identifier: Apache-2.0
// Making work visible: what was stored where its takers look is ordered against their looks, somebody who
// sleeps is woken for it, or the monitor watches that it is not forgotten. Nothing else in the runtime wakes a
// worker for work or arms the monitor for it, but the rounds of a region whose workers sleep (sched/waking.h).
//
// Ordering: the store, the hot fence, the looks at who sleeps and whether the monitor is armed; a sleeper says
// that it sleeps, issues the heavy fence and looks for work once more (sched/idle.cpp), and so does the monitor
// when it disarms itself (sched/monitor.cpp). One of the two sees the other.
#pragma once

#include "arch/cpu.h"
#include "os/fence.h"
#include "sched/crew.h"
#include "sched/sleepers.h"
#include "sched/worker.h"

namespace tulle::sched {

// There is work behind a running entity: the monitor has to watch.
void arm_monitor();

// The worker to wake: `first` if it sleeps, else, with `others`, any of its crew that sleeps; of no `first`, any at all.
struct Takers {
  Worker* first;
  bool others;
};

// A worker that somebody else has woken may take other work and not come back to this.
enum class Attention : uint8_t { never, if_nobody_was_woken, always };

inline void publish(Takers takers, Attention monitor) {
  os::hot_fence();
  // Relaxed: ordered by the fence.
  bool woken = takers.first != nullptr &&
               takers.first->asleep.load(std::memory_order_relaxed) != 0 && wake(takers.first);
  if (!woken && takers.others && somebody_sleeps())
    woken = takers.first != nullptr ? wake_any(crew_of(takers.first)) : wake_anybody();
  if (monitor == Attention::always || (monitor == Attention::if_nobody_was_woken && !woken)) arm_monitor();
}

// The same for what is found through a bubble that stands in a runqueue already, a task say.
inline void publish_in(const Bubble* bubble) {
  os::hot_fence();
  if (TULLE_UNLIKELY(somebody_sleeps())) wake_for(bubble);
}

}  // namespace tulle::sched
