// SPDX-License-Identifier: Apache-2.0
#include "omp/region/teams.h"

#include <algorithm>

#include "omp/task/task_icv.h"
#include "omp/tool/active.h"
#include "omp/tool/leagues.h"

namespace tulle::omp {

namespace {

// Loads of ICVs that routines may change at any time; nothing else is ordered by them.
uint32_t icv_or(const std::atomic<int32_t>& icv, uint32_t otherwise) {
  int32_t value = icv.load(std::memory_order_relaxed);
  return value > 0 ? static_cast<uint32_t>(value) : otherwise;
}

TULLE_MAY_SUSPEND TULLE_COLD void run_told(Thread* thread, League& league, RegionFunction function, void* data) {
  tool::begin_league(thread, &league);
  for (; league.team < league.teams; ++league.team) {
    tool::begin_team(thread, &league);
    function(data);
    tool::end_team(thread, &league);
  }
  tool::end_league(thread, &league);
}

}  // namespace

int32_t limit_threads(Thread* thread, uint32_t thread_limit) {
  int32_t before = icv_of(thread).thread_limit;
  int32_t limit = static_cast<int32_t>(std::min<uint32_t>(thread_limit, kUnlimitedThreads));
  if (limit != 0 && limit != before) writable_icv(thread)->thread_limit = limit;
  return before;
}

void run_league(Thread* thread, RegionFunction function, void* data, uint32_t lower,
                uint32_t upper, uint32_t thread_limit, ProcBind bind, const void* code) {
  if (upper == 0) upper = icv_or(device_icv().num_teams, 1);
  if (thread_limit == 0) thread_limit = icv_or(device_icv().teams_thread_limit, 0);
  int32_t limit_before = limit_threads(thread, thread_limit);
  void* outer = thread->teams_data;
  League league{0, std::max(lower, upper), bind, code != nullptr ? code : reinterpret_cast<const void*>(function)};
  thread->teams_data = &league;
  if (TULLE_UNLIKELY(tool::active())) {
    run_told(thread, league, function, data);
  } else {
    for (; league.team < league.teams; ++league.team) function(data);
  }
  thread->teams_data = outer;
  limit_threads(thread, static_cast<uint32_t>(limit_before));
}

}  // namespace tulle::omp
