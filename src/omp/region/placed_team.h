// SPDX-License-Identifier: Apache-2.0
// A team that a policy places: its members go where that wants them; the join calls those that it
// wants near the encountering thread, after some time all that are left, and waits for the others.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

void place_team(Team* team, Thread* outer, Thread* primary);
TULLE_MAY_SUSPEND void join_placed(Team* team, Thread* primary);

}  // namespace tulle::omp
