// SPDX-License-Identifier: Apache-2.0
// Ordered regions of a loop begun with `ordered` (OpenMP 5.2 §15.10.2): chunks enter in the order of
// their trips. A chunk hands on when each of its trips has left its region, or at the thread's next
// loop_next. Without effect outside such a loop and in a team of one. The calling thread only.
#pragma once

#include "omp/thread/thread.h"

namespace tulle::omp {

TULLE_MAY_SUSPEND void ordered_begin(Thread* thread);
void ordered_end(Thread* thread);

}  // namespace tulle::omp
