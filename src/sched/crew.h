// SPDX-License-Identifier: Apache-2.0
// A crew: workers that take one another's work, and nobody else's. The host's crew has no record: the pool, the spares,
// and all OS threads of the program. Each device that is a cluster has a crew of its own: a foreign worker that leads it,
// which encounters all of its regions, and workers beside it, all on the cluster's CPUs. Workers stay in their crew.
#pragma once

#include "base/cacheline.h"
#include "base/cpu_set.h"
#include "sched/worker.h"

namespace tulle::sched {

struct Crew {
  CpuSet cpus;
  Worker** members = nullptr;  // beside the leader
  int size = 0;                // how many
  Crew* next = nullptr;        // among all crews
};

// The last crew that was made, for walks over all. R: also those that look late; crews are never unmade.
extern TULLE_NEAR std::atomic<Crew*> newest_crew;

// Null: the host's. Relaxed: a foreign worker joins its crew before any work is made there.
inline const Crew* crew_of(const Worker* w) { return w->crew.load(std::memory_order_relaxed); }
inline bool are_mates(const Worker* a, const Worker* b) { return crew_of(a) == crew_of(b); }

// Makes the crew whose leader the calling OS thread is, the foreign worker that it carries: as many workers as there are
// CPUs, or as the system gives. Null: no memory.
const Crew* start_crew(Worker* leader, const CpuSet& cpus);

// How many workers there are beside the one that encounters a region. Of the host's crew that is the pool: it is started;
// or it counts as none unless it has been.
int start_workers(const Crew* crew);
int workers_now(const Crew* crew);
// 1 <= i <= start_workers().
Worker* worker_of(const Crew* crew, int i);

// In the child after fork(): there are no others than the host's.
void forget_crews();

}  // namespace tulle::sched
