// SPDX-License-Identifier: Apache-2.0
#include "os/fence.h"
#include "sched/internal.h"

namespace tulle::sched {

void announce(Bubble* bubble, Worker* holder) {
  holder->queue.push_bubble(bubble, holder);
  os::hot_fence();  // the push before the look at who sleeps; pairs with the sleeper's heavy fence
  if (somebody_sleeps()) wake_any();
  arm_monitor();
}

void announce_for_good(Bubble* bubble, Worker* holder) {
  bubble->may_reopen.store(true, std::memory_order_relaxed);  // ordered by the runqueue's lock
  holder->queue.push_bubble(bubble, holder);
}

void withdraw(Bubble* bubble) { bubble->holder->queue.remove_bubble(bubble); }

}  // namespace tulle::sched
