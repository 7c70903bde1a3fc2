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

// The child of `queue` above or at `below`; null if `below` is not below `queue`.
tulle_runqueue* child_towards(tulle_host* host, tulle_runqueue* queue, tulle_runqueue* below);

// Leaves in the tree's order, from 0.
uint32_t leaf_index(tulle_host* host, tulle_runqueue* leaf);
tulle_runqueue* leaf_at(tulle_host* host, uint32_t index);

// A closed bubble in which somebody has taken everything may still stand somewhere.
inline bool waits(tulle_host* host, tulle_entity* entity) {
  return host->threads(host, entity) > 0;
}

// The oldest entity in `queue` that has something to run; null if there is none.
tulle_entity* oldest(tulle_host* host, tulle_runqueue* queue);

// Moves the oldest thread of `queue` to `leaf`, out of its bubble if that is closed. False if there
// is none.
bool steal_oldest(tulle_host* host, tulle_runqueue* queue, tulle_runqueue* leaf);

// Moves something to `leaf` out of the nearest part of the machine where anything waits: of several
// entities the one with the most `weight`, whole; of a bubble that is alone its heaviest part. False
// if nothing waits anywhere.
using Weight = double (*)(tulle_host* host, tulle_entity* entity);
bool steal_nearest(tulle_host* host, tulle_runqueue* leaf, Weight weight);

}  // namespace tulle::sched
