// SPDX-License-Identifier: Apache-2.0
// The place that each worker is bound to, where threads are bound. A worker moves to the place of a thread
// that has it to itself. Where threads take turns on workers each worker keeps a place of its own, so that
// no CPU is left idle and no system call is made at each turn: where it is, if that is nobody else's, else
// the first thread's, else the next place that has room for another worker. A spare may use them all. Any
// thread.
#pragma once

#include <cstdint>

#include "sched/worker.h"

namespace tulle::omp {

// Called on the worker. `to_itself`: the thread does not take turns with others.
void bind_worker_to(const sched::Worker* worker, int32_t place, bool to_itself);

// Its OS thread ends: its place is nobody's.
void forget_bound_worker(const sched::Worker* worker);

// Likewise of all but one (null: of all).
void forget_bound_workers(const sched::Worker* but);

}  // namespace tulle::omp
