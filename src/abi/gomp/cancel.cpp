// SPDX-License-Identifier: Apache-2.0
// cancel and cancellation point. True: leave the construct, by way of its end's _cancel form.
#include "omp/worksharing/cancel.h"

#include "abi/gomp/entry.h"
#include "omp/task/task_cancel.h"
#include "omp/worksharing/told.h"

namespace omp = tulle::omp;
namespace tool = tulle::omp::tool;

namespace {

enum Construct { kParallel = 1, kLoop = 2, kSections = 4, kTaskgroup = 8 };

bool cancelled(omp::Thread* thread, int construct) {
  if ((construct & (kLoop | kSections)) != 0) return omp::workshare_cancelled(thread);
  if ((construct & kTaskgroup) != 0 && omp::taskgroup_cancelled(thread)) return true;
  return omp::parallel_cancelled(thread->team);
}

bool activate(omp::Thread* thread, int construct) {
  if ((construct & (kLoop | kSections)) != 0) return omp::cancel_workshare(thread);
  if ((construct & kTaskgroup) != 0) return omp::cancel_taskgroup(thread);
  return omp::cancel_parallel(thread);
}

int flags_of(int construct) {
  switch (construct) {
    case kLoop: return tool::kCancelLoop;
    case kSections: return tool::kCancelSections;
    case kTaskgroup: return tool::kCancelTaskgroup;
    default: return tool::kCancelParallel;
  }
}

TULLE_INLINE bool look(int construct) {
  if (!omp::cancellation_enabled()) return false;
  omp::Thread* thread = omp::self_or_attach();
  return omp::leaves_by_cancel(cancelled(thread, construct), thread, flags_of(construct) | tool::kCancelDetected);
}

}  // namespace

TULLE_GOMP bool GOMP_cancellation_point(int construct) { return look(construct); }

// `active` is the value of the if clause: without it the directive is a cancellation point.
TULLE_GOMP bool GOMP_cancel(int construct, bool active) {
  if (!active) return look(construct);
  omp::Thread* thread = omp::self_or_attach();
  return omp::leaves_by_cancel(activate(thread, construct), thread, flags_of(construct) | tool::kCancelActivated);
}
