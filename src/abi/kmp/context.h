// SPDX-License-Identifier: Apache-2.0
//
// The entry points' knowledge of their caller. The global thread number that compiled
// code passes is not used: an untied task may go on at another thread than the one that read it, so
// the calling thread's record is asked instead.
#pragma once

#include "abi/kmp/static_split.h"
#include "omp/thread/league.h"
#include "omp/thread/thread.h"

namespace tulle::kmp {

inline Share team_share() {
  const omp::Thread* thread = omp::self_or_attach();
  return {thread->num, thread->team->nthreads};
}

inline Share league_share() {
  const omp::League* league = omp::league_of(omp::self_or_attach());
  return league ? Share{league->team, league->teams} : Share{0, 1};
}

}  // namespace tulle::kmp
