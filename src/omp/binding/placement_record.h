// SPDX-License-Identifier: Apache-2.0
// Where the threads of a program's teams ran: with TULLE_PLACEMENT=path each member that begins is
// counted, and the process writes the counts to `path` when it ends by exit(). One line for each
// combination, in fields separated by tabs: level, team, member, leaf, CPU, count. A leaf is a worker's
// in the order of the tree of runqueues (0: the thread that encountered the outermost region); its
// CPU is the one that is meant for it, and the one that it runs on where a policy binds workers. A
// team is all regions of the same code that the same member of the same team encountered, and its
// number tells which appeared first.
#pragma once

#include "omp/thread/team.h"

namespace tulle::omp {

// A member begins, member 0 before the others. Only called with TULLE_PLACEMENT.
void record_member(const Thread* thread);

}  // namespace tulle::omp
