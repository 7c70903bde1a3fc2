// SPDX-License-Identifier: Apache-2.0
// Routines about teams, threads and tasks (OpenMP 5.2 §18.2, §18.4, §18.5). An OS thread that never
// entered the runtime is the only thread of a team of one, outside of all regions.
#include "abi/api/entry.h"
#include "omp/task/task.h"
#include "omp/thread/asked_size.h"
#include "omp/thread/league.h"

using namespace tulle;
using tulle::omp::Thread;

namespace {

// The thread that is the caller, or its ancestor, at a nesting level; null if there is none.
const Thread* at_level(int level) {
  const Thread* thread = omp::self();
  if (thread == nullptr || level < 0 || static_cast<uint32_t>(level) > thread->team->level)
    return nullptr;
  while (thread->team->level > static_cast<uint32_t>(level)) thread = thread->team->parent;
  return thread;
}

uint32_t task_bits() {
  const Thread* thread = omp::self();
  return thread != nullptr ? thread->task()->bits : 0;
}

}  // namespace

TULLE_QUERY(int32_t, omp_get_thread_num, "OMP_1.0") {
  const Thread* thread = omp::self();
  return thread != nullptr ? static_cast<int32_t>(thread->num) : 0;
}

TULLE_QUERY(int32_t, omp_get_num_threads, "OMP_1.0") {
  const Thread* thread = omp::self();
  if (thread == nullptr) return 1;
  omp::ask_size(thread->team);
  return static_cast<int32_t>(thread->team->nthreads);
}

TULLE_QUERY(int32_t, omp_in_parallel, "OMP_1.0") {
  const Thread* thread = omp::self();
  return thread != nullptr && thread->team->active_level > 0;
}

TULLE_QUERY(int32_t, omp_get_level, "OMP_3.0") {
  const Thread* thread = omp::self();
  return thread != nullptr ? static_cast<int32_t>(thread->team->level) : 0;
}

TULLE_QUERY(int32_t, omp_get_active_level, "OMP_3.0") {
  const Thread* thread = omp::self();
  return thread != nullptr ? static_cast<int32_t>(thread->team->active_level) : 0;
}

TULLE_C(int32_t, omp_get_ancestor_thread_num, "OMP_3.0", int level) {
  const Thread* thread = at_level(level);
  if (thread != nullptr) return static_cast<int32_t>(thread->num);
  return level == 0 ? 0 : -1;
}
TULLE_ONE_INT(int32_t, omp_get_ancestor_thread_num, "OMP_3.0");
TULLE_LLVM(int32_t, ompc_get_ancestor_thread_num, int level) {
  return api_omp_get_ancestor_thread_num(level);
}

TULLE_C(int32_t, omp_get_team_size, "OMP_3.0", int level) {
  const Thread* thread = at_level(level);
  if (thread != nullptr) return static_cast<int32_t>(thread->team->nthreads);
  return level == 0 ? 1 : -1;
}
TULLE_ONE_INT(int32_t, omp_get_team_size, "OMP_3.0");
TULLE_LLVM(int32_t, ompc_get_team_size, int level) { return api_omp_get_team_size(level); }

TULLE_QUERY(int32_t, omp_get_num_teams, "OMP_4.0") {
  const omp::League* league = omp::league_of(omp::self());
  return league != nullptr ? static_cast<int32_t>(league->teams) : 1;
}

TULLE_QUERY(int32_t, omp_get_team_num, "OMP_4.0") {
  const omp::League* league = omp::league_of(omp::self());
  return league != nullptr ? static_cast<int32_t>(league->team) : 0;
}

TULLE_QUERY(int32_t, omp_in_final, "OMP_3.1") { return (task_bits() & omp::kTaskFinal) != 0; }

TULLE_QUERY(int32_t, omp_in_explicit_task, "OMP_5.2") {
  const Thread* thread = omp::self();
  return thread != nullptr && omp::in_explicit_task(thread);
}
