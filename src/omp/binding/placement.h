// SPDX-License-Identifier: Apache-2.0
// Which place a thread is assigned to (OpenMP 5.2 §10.1.3): it follows from the region's policy, the thread's
// number and the place of the encountering thread, level by level. Members keep theirs from region to region.
#pragma once

#include <cstdint>

#include "base/cacheline.h"
#include "omp/places/places.h"

namespace tulle::omp {

struct Team;
struct Thread;

// The placement of member `num` of a team of `nthreads` whose encountering thread has `outer`.
Placement place_member(ProcBind policy, const Placement& outer, uint32_t nthreads, uint32_t num);

// Of a thread of a team in force.
Placement placement_of(const Thread* thread);

// The ICV `observed`, before a region begins: its binding policy, and whether its members are to
// display their affinity. `clause` is that of proc_bind. Writes to what members look at only where it changes.
void observe_fork(Team* team, Thread* outer, ProcBind clause, Peer peer);

// And when a member begins: binds the OS thread that carries it to its place, if it was bound to another
// last, displays its affinity, and counts it if TULLE_PLACEMENT wants that.
void observe_member(Thread* thread);

// At the join: where member 0 has called others its OS thread may have been bound to their places; and
// KMP_AFFINITY may ask for it to be bound no more.
void observe_join(const Thread* primary);

// Binds the OS thread that carries an initial thread of a league: at the begin of each team, and after the last
// one.
TULLE_COLD void bind_team(const Thread* thread);

// The policy of a region: its clause where binding is on at all, else bind-var.
inline ProcBind region_policy(ProcBind clause, ProcBind bind_var) {
  return bind_var != ProcBind::off && clause != ProcBind::off ? clause : bind_var;
}

// What bind-var means where the variable of the environment that `source` names decided. In libomp `true` is spread,
// and two variables deal threads out in turn.
ProcBind bind_of_peer(ProcBind bind_var, const Source& source, Peer peer);
// What omp_get_proc_bind() tells of it.
int32_t told_bind(ProcBind bind_var, Peer peer);

}  // namespace tulle::omp
