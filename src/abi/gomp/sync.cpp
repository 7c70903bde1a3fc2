// SPDX-License-Identifier: Apache-2.0
// barrier, critical, and the lock behind atomics that the machine lacks. A name of a critical
// section is the address of a zeroed pointer.
#include "abi/gomp/entry.h"
#include "omp/sync/critical.h"
#include "omp/sync/told_lock.h"
#include "omp/worksharing/told.h"

namespace omp = tulle::omp;

using omp::tool::SyncKind;

constexpr omp::tool::MutexKind kCritical = omp::tool::MutexKind::critical, kAtomic = omp::tool::MutexKind::atomic;

TULLE_GOMP void GOMP_barrier() { omp::meet(SyncKind::barrier_explicit); }

TULLE_GOMP bool GOMP_barrier_cancel() {
  return omp::meet_cancellable(SyncKind::barrier_explicit);
}

TULLE_GOMP void GOMP_critical_start() { omp::enter(omp::unnamed_critical, kCritical); }
TULLE_GOMP void GOMP_critical_end() { omp::leave(omp::unnamed_critical, kCritical); }
TULLE_GOMP void GOMP_critical_name_start(void** name) {
  omp::enter(omp::critical_lock(name), kCritical);
}
TULLE_GOMP void GOMP_critical_name_end(void** name) {
  omp::leave(omp::critical_lock(name), kCritical);
}

TULLE_GOMP void GOMP_atomic_start() { omp::enter(omp::atomic_fallback, kAtomic); }
TULLE_GOMP void GOMP_atomic_end() { omp::leave(omp::atomic_fallback, kAtomic); }
