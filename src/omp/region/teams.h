// SPDX-License-Identifier: Apache-2.0
// The teams construct on the host (OpenMP 5.2 §10.2): a league of initial teams, which run one
// after the other on the encountering thread: nothing synchronises teams of a league, so none of
// them can wait for another.
#pragma once

#include <cstdint>

#include "omp/thread/league.h"

namespace tulle::omp {

// Calls function(data) once for each team. 0 asks for the implementation's choice: the ICVs
// nteams-var and teams-thread-limit-var, and one team and no limit where they say nothing.
// An upper bound of 0 goes with a lower bound of 0. `code`: what the program's function is, if `function` is not it.
TULLE_MAY_SUSPEND void run_league(Thread* thread, RegionFunction function, void* data,
                                  uint32_t lower, uint32_t upper, uint32_t thread_limit,
                                  ProcBind bind = ProcBind::off, const void* code = nullptr);

// thread-limit-var of the current task, for the regions inside a teams or target construct; 0 leaves
// it as it is. Returns what it was.
int32_t limit_threads(Thread* thread, uint32_t thread_limit);

}  // namespace tulle::omp
