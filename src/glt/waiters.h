// SPDX-License-Identifier: Apache-2.0
// Units that wait for an object, first in, first out. Under the object's lock.
#pragma once

#include "base/list.h"
#include "glt/thread.h"
#include "sync/spinlock.h"

namespace tulle::glt {

using Waiters = Fifo<Unit, &Unit::next>;

// Without the lock: whoever is woken may free the object.
inline void wake_all(Waiters waiters) {
  while (Unit* unit = waiters.pop_front()) make_ready(unit);
}

}  // namespace tulle::glt
