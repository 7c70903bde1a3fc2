// SPDX-License-Identifier: Apache-2.0
// Whom an idle worker asks, and in which order.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "sched/blocking.h"
#include "sched/queue_tree.h"
#include "sched/worker.h"

namespace tulle::sched {

extern TULLE_NEAR std::atomic<uint32_t> attached;  // foreign workers. W: pool.cpp, under its lock
extern TULLE_NEAR std::atomic<uint32_t> crew_leaders;  // some of them. W: start_crew

// A foreign worker takes part in its own regions only, for its program waits for it: whether its crew has no others. A
// hint.
bool steals_for_region(const Worker* w);
// A hint that takes no lock: others have something, which `w` may not be able to take.
bool may_offer(const Worker* w);

// A hint: something that the worker could take lies at another one.
inline bool something_for(const Worker* w) {
  return (w->kind != WorkerKind::foreign || steals_for_region(w)) && whom_to_steal_from(w) != nullptr;
}

// Indexes of the other `count` - 1 workers, nearest first in the topology; null: all are equally near,
// or stealing has not come up enough to ask. w itself; kept until there are more workers.
const uint16_t* victims_by_distance(Worker* w, uint32_t count);
// False: no memory.
bool order_by_distance(const Worker* w, uint32_t count, const QueueTree& tree, uint16_t* victims);

}  // namespace tulle::sched
