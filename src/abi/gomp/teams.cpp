// SPDX-License-Identifier: Apache-2.0
// teams. On the host the construct is a function that runs once for each team. In a target region
// the compiler loops over the body while GOMP_teams4 says that there is another team.
#include "omp/region/teams.h"

#include <algorithm>

#include "abi/gomp/entry.h"
#include "omp/tool/called.h"
#include "omp/tool/leagues.h"

namespace omp = tulle::omp;

TULLE_GOMP void GOMP_teams_reg(omp::RegionFunction function, void* data, unsigned num_teams,
                               unsigned thread_limit, unsigned /*flags*/) {
  TULLE_CALLED();
  omp::run_league(omp::self_or_attach(), function, data, num_teams, num_teams, thread_limit);
}

static bool next_team(omp::Thread* thread, omp::League* league) {
  const bool last = league->team + 1 == league->teams;
  if (league->told != nullptr) {
    omp::tool::end_team(thread, league);
    if (last) omp::tool::end_league(thread, league);
  }
  if (!last) ++league->team;
  return !last;
}

TULLE_GOMP bool GOMP_teams4(unsigned lower, unsigned /*upper*/, unsigned thread_limit,
                            bool first) {
  TULLE_CALLED();
  omp::Thread* thread = omp::self_or_attach();
  auto* league = static_cast<omp::League*>(thread->teams_data);
  if (first) {
    omp::limit_threads(thread, thread_limit);
    if (league != nullptr) *league = {0, std::max(lower, 1U)};
    if (league != nullptr && TULLE_UNLIKELY(omp::tool::active())) omp::tool::begin_league(thread, league);
  } else if (league == nullptr || !next_team(thread, league)) {
    return false;
  }
  if (league != nullptr && league->told != nullptr) omp::tool::begin_team(thread, league);
  return true;
}

// GCC 4.9 to 11: one team.
TULLE_GOMP void GOMP_teams(unsigned /*num_teams*/, unsigned thread_limit) {
  omp::limit_threads(omp::self_or_attach(), thread_limit);
}
