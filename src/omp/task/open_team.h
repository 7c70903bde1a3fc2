// SPDX-License-Identifier: Apache-2.0
// A team with explicit tasks stands in a runqueue until its region ends: there idle workers find them.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// From now until the region ends the team's bubble is where idle workers find tasks. Any member.
void open_for_tasks(Team* team, sched::Worker* worker);

// The region, or the initial thread, ends: nobody looks for the team's tasks any more. Parent.
void close_for_tasks(Team* team);

}  // namespace tulle::omp
