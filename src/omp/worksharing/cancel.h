// SPDX-License-Identifier: Apache-2.0
// Cancellation (OpenMP 5.2 §16) of parallel regions and of worksharing constructs; that of
// taskgroups is in task.h. Nothing is ever cancelled unless OMP_CANCELLATION is true.
#pragma once

#include "omp/thread/cancelled.h"

namespace tulle::omp {

// True if the construct is cancelled now: the caller leaves it.
bool cancel_parallel(Thread* thread);
bool cancel_workshare(Thread* thread);

bool workshare_cancelled(const Thread* thread);

// A barrier at which the cancellation of the enclosing parallel region is observed. True if the
// region is cancelled: then not all members need to have arrived.
TULLE_MAY_SUSPEND bool barrier_cancellable(Thread* thread);

}  // namespace tulle::omp
