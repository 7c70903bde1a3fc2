// SPDX-License-Identifier: Apache-2.0
// Copies of list items that all threads of a team register for one construct, each by itself and
// without a barrier: the first to come makes the copies, the last to leave gives them back. Any
// thread of the team; the list of those in use is under a lock.
#pragma once

#include <cstddef>
#include <cstdint>

#include "omp/team.h"

namespace tulle::omp {

struct SharedCopies {
  SharedCopies* next;
  const Team* team;
  uint32_t generation;  // of the team's region
  bool workshare;       // of a worksharing construct, not of the region itself
  uint32_t left;        // threads that are through with it
  char* copies;         // thread t's at copies + t * share, zeroed when made
};

SharedCopies* join_copies(const Team* team, bool workshare, size_t share);

// True for the last thread of the team, which combines the copies and calls free_copies().
bool leave_copies(SharedCopies* shared);
void free_copies(SharedCopies* shared);

}  // namespace tulle::omp
