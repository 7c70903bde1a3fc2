// SPDX-License-Identifier: Apache-2.0
// A team with explicit tasks, or with members whose workers are elsewhere, stands in a runqueue until its region ends: there
// idle workers find both.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// From now until the region ends; in that of `worker` where the team has no parent. Any member.
void announce_for_region(Team* team, sched::Worker* worker);

// The region, or the initial thread, ends: nobody looks into the team any more. Parent.
void withdraw_after_region(Team* team);

}  // namespace tulle::omp
