// SPDX-License-Identifier: Apache-2.0
// The barrier of a team (OpenMP 5.2 §15.3). All explicit tasks of the team are complete when it
// completes; waiting threads run them.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

TULLE_MAY_SUSPEND void barrier(Thread* thread);

// The last one has arrived at the counter: phase `phase` is complete.
void complete_phase(Team* team, uint32_t phase);

}  // namespace tulle::omp
