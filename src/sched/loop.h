// SPDX-License-Identifier: Apache-2.0
// The worker's loop.
#pragma once

#include "sched/enter.h"
#include "sched/ult.h"
#include "sched/worker.h"
#include "ult/switch.h"

namespace tulle::sched {

// From a worker's loop, holder of `entity`: goes over to a ULT that on_ready took, in the name of `entity`,
// on whose footing it goes on.
// Returns when the loop runs again; never to a stack that a call has come back to as a detached one.
void resume_as(Worker* worker, Entity* entity, Ult* ult, Footing footing);

// The worker's parked loop, parked no more.
inline ult::StackContext take_parked_loop(Worker* w) {
  ult::StackContext loop{w->parked_stack, w->parked_loop};
  w->parked_loop = nullptr;
  return loop;
}

// A fresh stack of the pool becomes the worker's parked loop; it has none. False for no memory.
bool park_fresh_loop(Worker* w);

}  // namespace tulle::sched
