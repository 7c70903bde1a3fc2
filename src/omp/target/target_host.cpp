// SPDX-License-Identifier: Apache-2.0
#include "omp/target/target_host.h"

#include "omp/region/initial_team.h"
#include "omp/region/parallel.h"
#include "omp/region/teams.h"

namespace tulle::omp {

void run_target(Thread* thread, RegionFunction function, void* data, uint32_t thread_limit) {
  Icv icv = initial_icv();
  icv.observed |= icv_of(thread).observed;  // by tools, and by a race detector
  run_target(thread, function, data, thread_limit, icv);
}

// The target region's thread is the encountering one as member 0 of a team of one.
void run_target(Thread* thread, RegionFunction function, void* data, uint32_t thread_limit, Icv icv) {
  RegionRequest request{function, data, 1, ProcBind::off};
  Thread* initial = fork(thread, request, 1, &make_team_initial, &icv);
  League league;
  initial->teams_data = &league;
  limit_threads(initial, thread_limit);
  function(data);
  initial->teams_data = nullptr;
  join();
}

}  // namespace tulle::omp
