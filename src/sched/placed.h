// SPDX-License-Identifier: Apache-2.0
// The objects of a policy: a team's bubble, and the threads in it that have not begun. They belong to
// the team, and the host (policy_host.h) keeps them from the begin of a region to its end; all fields
// are guarded by the host's lock unless noted, and for takers (placing.h) by that of the runqueue.
// Invariants: a thread stands in a runqueue, or inside its bubble while that is closed, or runs, or has
// ended; a closed bubble with threads inside stands in one runqueue; a bubble with none inside is open and
// stands nowhere.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/list.h"
#include "base/look.h"
#include "sched/queue_tree.h"

namespace tulle::sched {

struct Bubble;
struct PlacedBubble;
struct PlacedThread;
struct PolicyChoice;
struct Worker;

// tulle_entity to a policy.
struct Placed {
  Link link;                   // alone: stands in no runqueue
  Runqueue* queue = nullptr;  // the one that it stands in; R: takers, who look again under its lock
  PlacedBubble* bubble = nullptr;  // that it is part of
  double load = 1;             // of a bubble: of the threads inside
  bool is_bubble = false;
};

enum class PartState : uint8_t { ended, waits, runs };

struct PlacedThread : Placed {
  PartState state = PartState::ended;  // W: without a lock whoever ran it, at its end; R: takers, as above
  uint32_t number = 0;           // of the member; fixed
  Runqueue* runs_at = nullptr;  // leaf where its load counts while it runs; null: nowhere
};

struct PlacedBubble : Placed {
  PlacedBubble() { is_bubble = true; }

  // Fixed while the region lasts. W: the encountering thread, before it is placed.
  Bubble* team = nullptr;
  PlacedThread* parts = nullptr;
  uint32_t count = 0;
  PolicyChoice* choice = nullptr;
  Worker* origin = nullptr;  // foreign worker whose outermost region this is part of
  // Calls a thread that the caller took, from the worker's loop. May suspend it, and so may return
  // on another worker, which it returns.
  Worker* (*call)(PlacedThread* part, Worker* worker) = nullptr;

  bool closed = false;
  uint32_t inside = 0;      // threads that stand in it while it is closed
  std::atomic<uint32_t> unfinished{0};  // threads that have not ended; W: whoever ran one
  std::atomic<uint32_t> waiting{0};  // threads that have not begun; R: the encountering thread
  double own_load = 0;           // of the encountering thread, as it counts at own_leaf
  Runqueue* own_leaf = nullptr; // null: it counts as part of another bubble, or nowhere

  // Bubbles of teams that threads of this one encountered; and its place in such a list.
  PlacedBubble* nested = nullptr;
  PlacedBubble* next_nested = nullptr;
  PlacedBubble** nested_at = nullptr;
  // Among the bubbles in force.
  PlacedBubble* next_live = nullptr;
  PlacedBubble** live_at = nullptr;  // null: it is not; R: takers, whether it is

  // Others begin and end beside it, which changes where it stands in the list, not whether it does.
  bool is_in_force() const { return look(live_at) != nullptr; }
};

}  // namespace tulle::sched
