// SPDX-License-Identifier: Apache-2.0
// Memory of tasks that a burst has left behind. At the end of a region that took more than is kept, its team's pool is
// listed. The monitor gives back what was listed a second or two ago: under the lock of the list, so that a region of
// the team, which takes its pool out first, begins before or after that. A team whose pool is listed passes for one that
// has to be made fit (omp/region/cached_teams.h): other regions pay nothing.
#pragma once

#include "omp/queue/task_pool.h"

namespace tulle::omp {

// The end of a region: all tasks of the pool are complete.
void list_for_trim(TaskPool& pool);

// A region begins, or the pool gets another team.
TULLE_COLD void unlist_for_trim(TaskPool& pool);
inline void end_trim(TaskPool& pool) {
  if (TULLE_UNLIKELY(pool.is_listed())) unlist_for_trim(pool);
}

// The monitor, once a period. True: pools are left for the next one.
bool trim_task_memory();

}  // namespace tulle::omp
