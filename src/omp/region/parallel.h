// SPDX-License-Identifier: Apache-2.0
// Parallel regions (OpenMP 5.2 §10.1): fork and join.
#pragma once

#include <cstdint>

#include "omp/thread/team.h"

namespace tulle::omp {

// The clauses of a parallel construct.
struct RegionRequest {
  RegionFunction function;
  void* data;
  uint32_t num_threads = 0;           // clause num_threads; 0: nthreads-var decides
  ProcBind bind = ProcBind::off;      // clause proc_bind; off: bind-var decides
  const void* code = nullptr;         // what the region is known by; null: its function
  const RegionWords* words = nullptr; // what the function takes in place of `data`; stays until the join
};

// Begins a region: the team's other members are on their way, and the calling thread is member 0
// from now on; it must call the function itself if it wants it called, and then join(). Exactly
// `nthreads` members (from team_size, or fewer if memory ends). `before` runs after the team is set
// up and before any member begins (work-shares that are made with the region); may be null.
TULLE_MAY_SUSPEND Thread* fork(Thread* outer, const RegionRequest& request, uint32_t nthreads,
             void (*before)(Thread* primary, void* argument) = nullptr, void* argument = nullptr);

// Ends the region that fork() began on this thread: waits until all members have ended and all
// explicit tasks are complete. The calling thread is the encountering one again.
TULLE_MAY_SUSPEND void join();

// fork, function, join.
TULLE_MAY_SUSPEND void parallel(Thread* outer, const RegionRequest& request);

}  // namespace tulle::omp
