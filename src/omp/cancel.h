// SPDX-License-Identifier: Apache-2.0
// Cancellation (OpenMP 5.2 §16) of parallel regions and of worksharing constructs; that of
// taskgroups is in task.h. Nothing is ever cancelled unless OMP_CANCELLATION is true.
//
// Team::cancelled has kCancelParallel in bit 0. Above it stands which worksharing construct is
// cancelled, by the number of the barrier that ends it: such a construct has no nowait, so there is
// one between two barriers, and the mark needs no reset. W: cancelling threads; R: all members.
#pragma once

#include "omp/team.h"

namespace tulle::omp {

inline bool cancellation_enabled() { return global_icv().cancellation.value; }

// True if the construct is cancelled now: the caller leaves it.
bool cancel_parallel(Thread* thread);
bool cancel_workshare(Thread* thread);

// Relaxed in both: a member that learns late runs a little further.
inline bool parallel_cancelled(const Team* team) {
  return (team->cancelled.load(std::memory_order_relaxed) & kCancelParallel) != 0;
}
bool workshare_cancelled(const Thread* thread);

// A barrier at which the cancellation of the enclosing parallel region is observed. True if the
// region is cancelled: then not all members need to have arrived.
TULLE_MAY_SUSPEND bool barrier_cancellable(Thread* thread);

}  // namespace tulle::omp
