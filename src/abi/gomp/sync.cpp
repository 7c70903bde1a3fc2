// SPDX-License-Identifier: Apache-2.0
// barrier, critical, and the lock behind atomics that the machine lacks. A name of a critical
// section is the address of a zeroed pointer.
#include "abi/gomp/entry.h"
#include "omp/sync/critical.h"
#include "omp/worksharing/barrier.h"
#include "omp/worksharing/cancel.h"

namespace omp = tulle::omp;

TULLE_GOMP void GOMP_barrier() { omp::barrier(omp::self_or_attach()); }

TULLE_GOMP bool GOMP_barrier_cancel() { return omp::barrier_cancellable(omp::self_or_attach()); }

TULLE_GOMP void GOMP_critical_start() { omp::unnamed_critical.set(); }
TULLE_GOMP void GOMP_critical_end() { omp::unnamed_critical.unset(); }
TULLE_GOMP void GOMP_critical_name_start(void** name) { omp::critical_lock(name).set(); }
TULLE_GOMP void GOMP_critical_name_end(void** name) { omp::critical_lock(name).unset(); }

TULLE_GOMP void GOMP_atomic_start() { omp::atomic_fallback.set(); }
TULLE_GOMP void GOMP_atomic_end() { omp::atomic_fallback.unset(); }
