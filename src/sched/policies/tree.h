// SPDX-License-Identifier: Apache-2.0
// Questions about the tree of runqueues that several policies ask, and the search for something to
// steal. Called inside hooks; nothing is kept.
#pragma once

#include <stdint.h>

#include "tulle/policy.h"

namespace tulle::sched {

// Leaves at or below `queue` at which nothing stands or runs. Stops counting at `enough`.
uint32_t idle_workers(tulle_host* host, tulle_runqueue* queue, uint32_t enough);

// The smallest part of the machine around `from`, larger than a core, with an idle worker for each of
// `threads` threads; null if the whole machine has not as many.
tulle_runqueue* room_around(tulle_host* host, tulle_runqueue* from, uint32_t threads);

// The scope of a policy that gives an inner team the room around its encountering thread, or leaves it there.
tulle_runqueue* room_of_inner(tulle_host* host, tulle_entity* bubble, tulle_runqueue* from);

// The child of `queue` above or at `below`; null if `below` is not below `queue`.
tulle_runqueue* child_towards(tulle_host* host, tulle_runqueue* queue, tulle_runqueue* below);

// Leaves in the tree's order, from 0.
uint32_t leaf_index(tulle_host* host, tulle_runqueue* leaf);
tulle_runqueue* leaf_at(tulle_host* host, uint32_t index);

// Threads may begin while a policy looks: somebody else takes them out of a closed bubble, which
// stands there until it is met.
inline bool waits(tulle_host* host, tulle_entity* entity) {
  return host->threads(host, entity) > 0;
}
inline bool stands_inside(tulle_host* host, tulle_entity* part) {
  return waits(host, part) && host->where(host, part) == nullptr;
}

// Moves the oldest thread of a runqueue to `leaf`, out of its bubble if that is closed: of the first
// leaf that has one, counted from `victim` on and around, or of a runqueue above it. False if nothing
// waits anywhere.
bool steal_from(tulle_host* host, uint32_t victim, tulle_runqueue* leaf);

// Moves something to `leaf` out of the nearest part of the machine where anything waits: of several
// entities the one with the most `weight`, whole; of a bubble that is alone its heaviest part. False
// if nothing waits anywhere.
using Weight = double (*)(tulle_host* host, tulle_entity* entity);
bool steal_nearest(tulle_host* host, tulle_runqueue* leaf, Weight weight);

}  // namespace tulle::sched
