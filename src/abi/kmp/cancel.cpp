// SPDX-License-Identifier: Apache-2.0
//
// cancel and cancellation point of Clang, Flang and Intel's compilers. True: the caller leaves the
// construct, so what it has begun of a loop ends here.
#include "omp/worksharing/cancel.h"

#include "abi/kmp/layout.h"
#include "omp/task/task_cancel.h"
#include "omp/thread/thread.h"
#include "omp/worksharing/loop.h"
#include "omp/worksharing/told.h"

namespace tulle::kmp {
namespace {

bool is_workshare(CancelKind kind) {
  return kind == CancelKind::loop || kind == CancelKind::sections;
}

bool activate(omp::Thread* thread, CancelKind kind) {
  if (is_workshare(kind)) return omp::cancel_workshare(thread);
  if (kind == CancelKind::taskgroup) return omp::cancel_taskgroup(thread);
  return kind == CancelKind::parallel && omp::cancel_parallel(thread);
}

bool is_active(omp::Thread* thread, CancelKind kind) {
  if (is_workshare(kind)) return omp::workshare_cancelled(thread);
  if (kind == CancelKind::taskgroup && omp::taskgroup_cancelled(thread)) return true;
  return omp::parallel_cancelled(thread->team);
}

int flags_of(CancelKind kind) {
  switch (kind) {
    case CancelKind::loop: return omp::tool::kCancelLoop;
    case CancelKind::sections: return omp::tool::kCancelSections;
    case CancelKind::taskgroup: return omp::tool::kCancelTaskgroup;
    default: return omp::tool::kCancelParallel;
  }
}

int32_t leave_if(bool cancelled, omp::Thread* thread, CancelKind kind) {
  if (cancelled && is_workshare(kind)) omp::loop_end(thread);
  return cancelled;
}

}  // namespace

TULLE_KMP int32_t __kmpc_cancel(Ident*, int32_t, int32_t kind) {
  omp::Thread* thread = omp::self_or_attach();
  const auto construct = static_cast<CancelKind>(kind);
  const int flags = flags_of(construct) | omp::tool::kCancelActivated;
  return leave_if(omp::leaves_by_cancel(activate(thread, construct), thread, flags), thread, construct);
}

TULLE_KMP int32_t __kmpc_cancellationpoint(Ident*, int32_t, int32_t kind) {
  if (!omp::cancellation_enabled()) return 0;
  omp::Thread* thread = omp::self_or_attach();
  const auto construct = static_cast<CancelKind>(kind);
  const int flags = flags_of(construct) | omp::tool::kCancelDetected;
  return leave_if(omp::leaves_by_cancel(is_active(thread, construct), thread, flags), thread, construct);
}

// The end of a construct inside a region that can be cancelled.
TULLE_KMP int32_t __kmpc_cancel_barrier(Ident*, int32_t) {
  return omp::meet_cancellable(omp::tool::SyncKind::barrier_workshare);
}

}  // namespace tulle::kmp
