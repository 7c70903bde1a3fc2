// SPDX-License-Identifier: Apache-2.0
// The teams construct on the host (OpenMP 5.2 §10.2): a league of initial teams, which run one
// after the other on the encountering thread (nothing synchronises teams of a league, so none of
// them can wait for another). The record of the league stands in the frame of the construct and
// hangs on the initial thread; threads of nested regions find it through their parents.
#pragma once

#include <cstdint>

#include "omp/thread/team.h"

namespace tulle::omp {

struct League {
  uint32_t team = 0;   // omp_get_team_num()
  uint32_t teams = 1;  // omp_get_num_teams()
  ProcBind bind = ProcBind::off;  // how teams are dealt out to places; off: they all stay at the construct's
};

// The league that the thread belongs to; null outside of teams constructs.
const League* league_of(Thread* thread);

// Calls function(data) once for each team. 0 asks for the implementation's choice: the ICVs
// nteams-var and teams-thread-limit-var, and one team and no limit where they say nothing.
// An upper bound of 0 goes with a lower bound of 0.
TULLE_MAY_SUSPEND void run_league(Thread* thread, RegionFunction function, void* data,
                                  uint32_t lower, uint32_t upper, uint32_t thread_limit,
                                  ProcBind bind = ProcBind::off);

// thread-limit-var of the current task, for the regions inside a teams or target construct; 0 leaves
// it as it is. Returns what it was.
int32_t limit_threads(Thread* thread, uint32_t thread_limit);

}  // namespace tulle::omp
