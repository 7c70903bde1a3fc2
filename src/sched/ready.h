// SPDX-License-Identifier: Apache-2.0
// Suspended frames that may go on: to where that may be, and on.
#pragma once

#include "sched/ult.h"
#include "sched/worker.h"

namespace tulle::sched {

// Makes a suspended ULT runnable. Any OS thread, also one that the runtime does not know. False: it may
// have to wait until what its entity runs has ended, or for an entity to run in.
bool make_ready(Ult* ult);

// Holder of an entity of which nothing runs any more: gives it up, or queues it if ULTs of it became
// ready meanwhile. Never suspends.
void release(Entity* entity);

// Puts a scheduled entity (held by the caller) into the runqueue where it may run.
void enqueue(Entity* entity);
// The same if a ULT of it may go on, else gives it up: false.
bool enqueue_or_retire(Entity* entity);

// The next ULT that `w` may run of `entity`; null if the entity was handed to the worker that it
// is bound to.
Ult* claim_for(Worker* w, Entity* entity);

// The state that a ULT saved is in force again, on w.
void go_on(Worker* w, Ult* ult);

}  // namespace tulle::sched
