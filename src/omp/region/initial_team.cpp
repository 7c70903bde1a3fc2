// SPDX-License-Identifier: Apache-2.0
#include "omp/region/initial_team.h"

#include "base/look.h"

namespace tulle::omp {

void make_team_initial(Thread* primary, void* icv) {
  Team* team = primary->team;
  team->level = 0;
  set_looked_at(team->active_level, 0);
  team->icv_inside = *static_cast<const Icv*>(icv);
  team->icv = &team->icv_inside;
  primary->task()->icv = team->icv;
}

}  // namespace tulle::omp
