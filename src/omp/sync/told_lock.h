// SPDX-License-Identifier: Apache-2.0
// Locks as entry points set and unset them: tools are told where there are any. What is
// inlined takes the address that the entry point returns to.
#pragma once

#include "omp/sync/lock.h"
#include "omp/tool/called.h"
#include "omp/tool/interface.h"

namespace tulle::omp {

TULLE_MAY_SUSPEND TULLE_COLD void told_enter(Lock& lock, tool::MutexKind kind, const void* code);
TULLE_MAY_SUSPEND TULLE_COLD bool told_try(Lock& lock, const void* code);
TULLE_COLD void told_leave(Lock& lock, tool::MutexKind kind, const void* code);

TULLE_MAY_SUSPEND TULLE_INLINE void enter(Lock& lock, tool::MutexKind kind) {
  if (tool::active()) return told_enter(lock, kind, TULLE_CALLER());
  lock.set();
}
TULLE_INLINE void leave(Lock& lock, tool::MutexKind kind) {
  if (tool::active()) return told_leave(lock, kind, TULLE_CALLER());
  lock.unset();
}
TULLE_MAY_SUSPEND TULLE_INLINE bool try_enter(Lock& lock) {
  return tool::active() ? told_try(lock, TULLE_CALLER()) : lock.try_set();
}

// Each returns the number of times that the owner now holds it.
TULLE_MAY_SUSPEND TULLE_COLD int told_enter(NestLock& lock, const void* owner, const void* code);
TULLE_MAY_SUSPEND TULLE_COLD int told_try(NestLock& lock, const void* owner, const void* code);
TULLE_COLD int told_leave(NestLock& lock, const void* owner, const void* code);

TULLE_MAY_SUSPEND TULLE_INLINE int enter(NestLock& lock, const void* owner) {
  return tool::active() ? told_enter(lock, owner, TULLE_CALLER()) : lock.set(owner);
}
TULLE_MAY_SUSPEND TULLE_INLINE int try_enter(NestLock& lock, const void* owner) {
  return tool::active() ? told_try(lock, owner, TULLE_CALLER()) : lock.try_set(owner);
}
TULLE_INLINE int leave(NestLock& lock, const void* owner) {
  return tool::active() ? told_leave(lock, owner, TULLE_CALLER()) : lock.unset(owner);
}

// Either kind of lock begins or ends to be one.
TULLE_COLD void told_init(const void* lock, tool::MutexKind kind, uint32_t hint, const void* code);
TULLE_COLD void told_destroy(const void* lock, tool::MutexKind kind, const void* code);

template <class AnyLock>
TULLE_INLINE void init(AnyLock& lock, tool::MutexKind kind, uint32_t hint) {
  lock.init();
  if (tool::active()) told_init(&lock, kind, hint, TULLE_CALLER());
}
template <class AnyLock>
TULLE_INLINE void destroy(AnyLock& lock, tool::MutexKind kind) {
  if (tool::active()) told_destroy(&lock, kind, TULLE_CALLER());
  lock.destroy();
}

}  // namespace tulle::omp
