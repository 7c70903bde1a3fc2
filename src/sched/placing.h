// SPDX-License-Identifier: Apache-2.0
// Teams that a policy places: from the encountering thread to the runqueues of the tree, and from
// there to workers. One PolicyHost serves the process. Its lock is taken once at each region's begin and end,
// and for the hooks of policies, which see a world in which nothing else begins or is moved (sync/gate.h); each thread's
// begin takes that of one runqueue, its end none, unless the policy has a hook for it. With the default policy nothing of
// this runs, and `placed_waiting` stays 0.
//
// Order of search: a pool worker looks from its leaf up to the root; a foreign worker from leaf 0, at what
// belongs to its own outermost region; a spare from the leaf of the worker that it stands in for, and
// then anywhere, because it comes when something is stuck.
#pragma once

#include <atomic>
#include <cstdint>

#include "arch/cpu.h"
#include "base/cacheline.h"
#include "sched/placed.h"
#include "sched/worker.h"

namespace tulle::sched {

// Threads that policies have placed and that have not begun. W: the host; R: hints.
extern TULLE_NEAR std::atomic<uint32_t> placed_waiting;

// The tree is there, and each of the pool's `pool_size` workers is bound to the CPU of its leaf, from now on.
// Any thread, outside of the host's lock. False for no memory.
bool ready_to_place(int pool_size);

// The encountering thread, in this order. `around`: the bubble that the team is part of, or null.
// take_own: a thread that waits, from part `next` on, which is set to where to go on; on the way from
// the leaf of `w`, the caller's worker, to the root, or anywhere. The caller runs it on top of its own frames.
// worth_waiting: some wait, and a worker polls that may take them.
void place(PlacedBubble* bubble, PlacedBubble* around, Worker* from, bool crowded = false);
PlacedThread* take_own(PlacedBubble* bubble, Worker* w, bool anywhere, uint32_t& next);
bool worth_waiting(const PlacedBubble* bubble);
void end_placed(PlacedBubble* bubble, Worker* w);

// The thread has ended, by the worker that took and ran it.
void placed_ended(PlacedThread* part);

// A worker without anything else to do: what it found is its own to call, or null.
PlacedThread* find_placed(Worker* worker);

// Hints: find_placed might find something; how many threads that the worker's own runqueue does not count wait behind
// what it runs, or bubbles with threads, on a foreign one; and whether anything that has not begun does.
bool placed_within_reach(const Worker* worker);  // now, or when the worker asks the policies
bool placed_waits_slow(Worker* worker);
inline bool placed_waits_for(Worker* worker) {
  return TULLE_UNLIKELY(placed_waiting.load(std::memory_order_relaxed) != 0) &&
         placed_waits_slow(worker);
}
uint32_t placed_above(const Worker* worker);
inline bool something_unbegun(Worker* worker) {
  return worker->queue.has_open_bubble(worker) || placed_waits_for(worker);
}

// The monitor.
void tick_placed();

// In the child after fork(). The bubbles of regions that the calling thread is in: their threads that
// have not begun are only found by take_own.
void reset_placed_after_fork(Worker* survivor);
void forget_placed(PlacedBubble* bubble);

}  // namespace tulle::sched
