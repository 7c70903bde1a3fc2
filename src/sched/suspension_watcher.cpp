// SPDX-License-Identifier: Apache-2.0
#include "sched/suspension_watcher.h"

namespace tulle::sched {

std::atomic<const SuspensionWatcher*> suspensions_watched_by{nullptr};

void watch_suspensions(const SuspensionWatcher* watcher) {
  suspensions_watched_by.store(watcher, std::memory_order_relaxed);
}

}  // namespace tulle::sched
