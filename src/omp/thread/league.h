// SPDX-License-Identifier: Apache-2.0
// The league of a teams construct (omp/region/teams.h). Its record stands in the frame of the construct and
// hangs on the initial thread; threads of nested regions find it through their parents.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

namespace tool {
struct OfLeague;
}

struct League {
  uint32_t team = 0;   // omp_get_team_num()
  uint32_t teams = 1;  // omp_get_num_teams()
  ProcBind bind = ProcBind::off;  // how teams are dealt out to places; off: they all stay at the construct's
  const void* code = nullptr;     // what each team runs, for tools; null: of a target region, whose team's it is
  tool::OfLeague* told = nullptr;  // what tools keep for it, if they know of it
};

// The league that the thread belongs to; null outside of teams constructs.
inline const League* league_of(const Thread* thread) {
  for (; thread != nullptr; thread = thread->team->parent)
    if (thread->teams_data != nullptr) return static_cast<const League*>(thread->teams_data);
  return nullptr;
}

}  // namespace tulle::omp
