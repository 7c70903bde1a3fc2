// SPDX-License-Identifier: Apache-2.0
// Which teams a policy places (sched/placing.h). Each member of such a team but the encountering
// thread's own is a part of the team's bubble; whoever takes it calls it, and the encountering thread
// calls at its join what is left, wherever that stands (parallel.cpp).
#pragma once

#include "base/cacheline.h"
#include "omp/thread/team.h"

namespace tulle::omp {

// True once TULLE_POLICY or tulle_set_policy() has named a policy. Until then nothing here is called.
extern TULLE_NEAR std::atomic<bool> policies_named;

// The policy for a region of n threads that `outer` encounters; null: none places it. Sees to it that
// policies can work. Regions that OpenMP binds to places are not for policies, nor are outermost ones
// of one thread for each worker.
sched::PolicyChoice* policy_for(const Thread* outer, uint32_t n);

// Makes room for the members of a team of n. False for no memory.
bool make_parts(Team* team, uint32_t n);

// The policy of the outermost regions that `thread`, the calling one, opens from now on: as TULLE_POLICY
// takes it; null: what that says. False: there is none of that name, or it is inside a region.
bool set_policy(Thread* thread, const char* name);

}  // namespace tulle::omp
