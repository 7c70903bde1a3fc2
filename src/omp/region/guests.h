// SPDX-License-Identifier: Apache-2.0
// Guests as OpenMP threads (sched/guest.h). A guest has a record of an initial thread while it is in a region,
// and for as long as something is kept in it: control variables that it has set, threadprivate data. Records go
// from guest to guest with the teams that they have cached.
#pragma once

#include "omp/thread/thread.h"

namespace tulle::omp {

// The guest that runs here gets a record.
Thread* attach_guest();

// A guest has left a region: the record is given back if that was its outermost one.
TULLE_COLD void leave_as_guest(Thread* outer);

// A guest has ended, outside of regions, whose word is not null.
void guest_ended(void* word);

}  // namespace tulle::omp
