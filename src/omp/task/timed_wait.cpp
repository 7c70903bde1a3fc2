// SPDX-License-Identifier: Apache-2.0
#include "omp/task/timed_wait.h"

#include "omp/task/outside.h"
#include "os/clock.h"
#include "sched/poller.h"
#include "sync/spinlock.h"

namespace tulle::omp {

namespace {

// In the frame of who waits, until the poller signals.
struct TimedWait {
  uint64_t due;
  sched::Event came;
  TimedWait* next = nullptr;
};

TULLE_HELD_AT_FORK sync::Spinlock guarding;
TimedWait* waits = nullptr;  // under the lock
bool is_polled = false;

// Those that are due, out of the list.
TimedWait* take_due() {
  TimedWait* due = nullptr;
  uint64_t time = os::now();
  sync::Guard guard(guarding);
  for (TimedWait** at = &waits; *at != nullptr;) {
    TimedWait* wait = *at;
    if (wait->due > time) {
      at = &wait->next;
      continue;
    }
    *at = wait->next;
    wait->next = due;
    due = wait;
  }
  return due;
}

int signal_due(void*) {
  TimedWait* wait = take_due();
  int came = wait != nullptr;
  while (wait != nullptr) {
    TimedWait* next = wait->next;
    wait->came.signal();
    wait = next;
  }
  return came;
}

bool enlist(TimedWait* wait) {
  sync::Guard guard(guarding);
  if (!is_polled) is_polled = sched::register_poller(signal_due, nullptr);
  if (!is_polled) return false;
  wait->next = waits;
  waits = wait;
  return true;
}

}  // namespace

void wait_for_time(Thread* thread, uint64_t nanoseconds) {
  TimedWait wait{os::now() + nanoseconds, {}};
  if (in_region() && enlist(&wait))
    wait_outside(thread, wait.came);
  else
    os::sleep_for(nanoseconds);
}

}  // namespace tulle::omp
