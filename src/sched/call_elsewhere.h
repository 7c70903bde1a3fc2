// SPDX-License-Identifier: Apache-2.0
// Calls on other stacks than their caller's, which waits below them as if they lay on the same one.
#pragma once

#include "base/cacheline.h"
#include "memory/stack_pool.h"

namespace tulle::sched {

// A stack on which nothing runs, and its end; null: nowhere.
struct Place {
  memory::Stack* stack;
  void* top;
};

// Calls step(data) at `place`, and again where it says, until that is nowhere. Comes back to the caller's stack, maybe
// on another worker. A step that says where to go on is the last thing on its stack, and signals need not be seen to
// there (enters_plainly).
TULLE_MAY_SUSPEND void call_elsewhere(Place place, Place (*step)(void*), void* data);

}  // namespace tulle::sched
