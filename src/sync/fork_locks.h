// SPDX-License-Identifier: Apache-2.0
// Locks of process-wide data that fork() holds, so that the child finds that data whole. They are
// marked TULLE_HELD_AT_FORK (sync/spinlock.h), which gathers them in one section. Nobody may fork
// while it holds one of them itself.
#pragma once

#include "sync/spinlock.h"

extern "C" {
extern tulle::sync::Spinlock __start_tulle_fork_locks[] __attribute__((visibility("hidden")));
extern tulle::sync::Spinlock __stop_tulle_fork_locks[] __attribute__((visibility("hidden")));
}

namespace tulle::sync {

inline void unlock_for_fork(Spinlock* end) TULLE_WITHOUT_LOCKS {
  for (Spinlock* lock = __start_tulle_fork_locks; lock != end; ++lock) lock->unlock();
}

// Takes all of them. Holders may wait for one another, so it never waits while it holds one itself.
inline void lock_for_fork() TULLE_WITHOUT_LOCKS {
  for (;;) {
    Spinlock* lock = __start_tulle_fork_locks;
    while (lock != __stop_tulle_fork_locks && lock->try_lock()) ++lock;
    if (lock == __stop_tulle_fork_locks) return;
    unlock_for_fork(lock);
    os::yield_core();
  }
}

}  // namespace tulle::sync
