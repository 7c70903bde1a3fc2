// SPDX-License-Identifier: Apache-2.0
// Who is told of suspensions: before the current entity's frames are suspended; when they may go on, by whoever sees to
// that, an OS thread that the runtime does not know perhaps; and when they go on. Set once, by a thread whose
// suspensions matter; null: by anybody, who misses it tells of one more.
#pragma once

#include "base/cacheline.h"
#include "sched/entity.h"

namespace tulle::sched {

struct SuspensionWatcher {
  void (*leaves)(Entity* entity, Frame* frame);
  void (*may_go_on)(Ult* ult);
  void (*goes_on)(Entity* entity, const Ult& ult);
};
void watch_suspensions(const SuspensionWatcher* watcher);

extern TULLE_NEAR std::atomic<const SuspensionWatcher*> suspensions_watched_by;
// Relaxed: constant data. Null: nobody is.
inline const SuspensionWatcher* suspension_watcher() { return suspensions_watched_by.load(std::memory_order_relaxed); }

}  // namespace tulle::sched
