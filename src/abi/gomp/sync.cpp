// SPDX-License-Identifier: Apache-2.0
// barrier, critical, and the lock behind atomics that the machine lacks. A name of a critical
// section is the address of a zeroed pointer.
#include "abi/gomp/entry.h"
#include "omp/sync/critical.h"
#include "omp/sync/told_lock.h"
#include "omp/tool/events.h"
#include "omp/worksharing/told.h"

namespace omp = tulle::omp;

using omp::tool::SyncKind;

constexpr omp::tool::MutexKind kCritical = omp::tool::MutexKind::critical, kAtomic = omp::tool::MutexKind::atomic;

TULLE_GOMP void GOMP_barrier() { omp::meet(SyncKind::barrier_explicit); }

TULLE_GOMP bool GOMP_barrier_cancel() {
  return omp::meet_cancellable(SyncKind::barrier_explicit);
}

// GCC 17's development version (it may still change): what the barrier is for.
static SyncKind kind_of(int32_t kind) {
  constexpr int32_t kOfRegion = 0, kOfConstruct = 1;
  // Not the one that ends a region: before a copyin or a reduction's first value.
  if (kind == kOfRegion) return SyncKind::barrier_implementation;
  return kind == kOfConstruct ? SyncKind::barrier_workshare : SyncKind::barrier_explicit;
}

TULLE_GOMP void GOMP_barrier_ext(int32_t kind) { omp::meet(kind_of(kind)); }
TULLE_GOMP bool GOMP_barrier_cancel_ext(int32_t kind) { return omp::meet_cancellable(kind_of(kind)); }

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

// Around the combining of several variables, in GCC 17's development version; before, those for atomics.
TULLE_COLD static void tell_reduction(omp::tool::Endpoint endpoint, const void* code) {
  omp::Thread* thread = omp::self_or_attach();
  omp::tool::reduction(thread, endpoint, omp::tool::in_program(thread, code));
}

TULLE_GOMP void GOMP_reduction_start() {
  if (omp::tool::active()) tell_reduction(omp::tool::Endpoint::begin, TULLE_CALLER());
  omp::enter(omp::atomic_fallback, kAtomic);
}

TULLE_GOMP void GOMP_reduction_end() {
  omp::leave(omp::atomic_fallback, kAtomic);
  if (omp::tool::active()) tell_reduction(omp::tool::Endpoint::end, TULLE_CALLER());
}
