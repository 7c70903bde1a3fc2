// SPDX-License-Identifier: Apache-2.0
// Waiting for a time to come without keeping a core. The times stand in one list, which a poller goes through
// (sched/poller.h): so a wait ends some 20 to 200 microseconds late. Any thread.
#pragma once

#include <cstdint>

#include "omp/thread/thread.h"

namespace tulle::omp {

// Outside of regions the OS thread sleeps.
TULLE_MAY_SUSPEND void wait_for_time(Thread* thread, uint64_t nanoseconds);

}  // namespace tulle::omp
