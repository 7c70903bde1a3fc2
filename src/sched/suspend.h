// SPDX-License-Identifier: Apache-2.0
// Suspending what runs, and giving way.
#pragma once

#include <atomic>
#include <cstdint>

#include "sched/placing.h"
#include "sched/ult.h"
#include "sched/worker.h"

namespace tulle::sched {

// Suspends the current entity's innermost frames. `commit(argument, ult)` runs when their context is saved: it
// registers `ult` where make_ready() will find it and returns true, or returns false if there is
// nothing to wait for any more.
using Commit = bool (*)(void* argument, Ult* ult);
struct Suspension {
  Commit commit;
  void* argument;
  bool defers;  // what lies below waits as long as this does (sched/entity.h)
  const std::atomic<uint32_t>* wakes = nullptr;  // counts those who were woken there (sched/deferral.h)
};
TULLE_MAY_SUSPEND void suspend(const Suspension& why);

// Lets what else waits for this worker run first, if there is something; what lies below the caller's frame
// too, unless it is deferred.
TULLE_MAY_SUSPEND void yield(bool defers = false);
// Suspends in any case, ready at once: everything else that this worker finds goes first.
// With `defers` not what lies below its frame.
TULLE_MAY_SUSPEND void step_aside(bool defers = false);

// Moves the current entity to the worker `home` (a foreign thread back to its own OS thread).
TULLE_MAY_SUSPEND void go_to(Worker* home);

// A hint: this worker has something else to run.
inline bool something_waits(Worker* worker) {
  return worker->queue.has_entities() || worker->queue.has_open_bubble(worker) ||
         placed_waits_for(worker);
}

}  // namespace tulle::sched
