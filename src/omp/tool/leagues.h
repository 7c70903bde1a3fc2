// SPDX-License-Identifier: Apache-2.0
// What tools are told of leagues. For who has seen active() only. Each team begins when the one before has ended, all in
// the name of the thread that encountered the league.
#pragma once

#include "omp/thread/league.h"

namespace tulle::omp::tool {

void begin_league(Thread* thread, League* league);
void begin_team(Thread* thread, League* league);
void end_team(Thread* thread, League* league);
void end_league(Thread* thread, League* league);

}  // namespace tulle::omp::tool
