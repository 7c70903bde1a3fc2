// SPDX-License-Identifier: Apache-2.0
// A team of one that stands outside of all regions: of a target region on the host (OpenMP 5.2 §12.8).
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// For fork(): before the region begins, its team is made an initial team, with the ICVs at `icv`. Tools are told of an
// initial task then, and of no region.
void make_team_initial(Thread* primary, void* icv);

}  // namespace tulle::omp
