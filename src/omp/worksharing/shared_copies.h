// SPDX-License-Identifier: Apache-2.0
// Copies of list items that all threads of a team register for one construct, each by itself and
// without a barrier: the first to come makes all of them, ready for use, since tasks may run in the
// name of a thread that has not come yet; the last to leave gives them back. Any thread of the team;
// the list of those in use is under a lock.
#pragma once

#include <cstdint>

#include "omp/thread/team.h"

namespace tulle::omp {

struct SharedCopies {
  SharedCopies* next;
  const Team* team;
  uint32_t generation;  // of the team's region
  bool workshare;       // of a worksharing construct, not of the region itself
  uint32_t left;        // threads that are through with it
  char* copies;         // thread t's at copies + t * the share of a thread
};

// Null: nobody has come yet, and the caller makes them and offers them.
SharedCopies* find_copies(const Team* team, bool workshare);
// Those of the first that offered; `copies` are the caller's still if they are not the same.
SharedCopies* offer_copies(const Team* team, bool workshare, char* copies);

// True for the last thread of the team, which combines the copies and calls free_copies().
bool leave_copies(SharedCopies* shared);
void free_copies(SharedCopies* shared);

}  // namespace tulle::omp
