// SPDX-License-Identifier: Apache-2.0
// Guided loops (OpenMP 6.0 §13.6.1), in the records of work_share_table.h: how their chunks are dealt out.
#pragma once

#include "omp/worksharing/work_share_table.h"

namespace tulle::omp {

// Whoever fills the loop's slot: what clusters take, where the team takes chunks by number.
void prepare_shrinking(const Team* team, const WorkShare* share);
// Each member, once the slot is open. A loop without this is dealt out by trips.
void begin_shrinking(const Team* team, WorkShare* share);
// The next chunk, or false: nothing is left.
bool refill_shrinking(WorkShare* share);

}  // namespace tulle::omp
