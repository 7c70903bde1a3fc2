// SPDX-License-Identifier: Apache-2.0
// The single construct (OpenMP 5.2 §11.1) and its copyprivate clause. The team counts the single
// constructs that were taken through all of its regions, each thread those that it met. A thread
// goes past a construct only when it is taken, so the team's count is never behind a thread's.
#pragma once

#include "omp/thread/team.h"
#include "omp/tool/active.h"
#include "omp/worksharing/barrier.h"

namespace tulle::omp {

// Whether the thread executes the single region that it meets. No barrier.
inline bool take_single(Thread* thread) {
  Team* team = thread->team;
  if (team->nthreads == 1) return true;
  uint32_t met = thread->singles++;
  // Relaxed: no data goes with it. A stale count can only be `met`, and then the exchange decides.
  if (team->singles_taken.load(std::memory_order_relaxed) != met) return false;
  return team->singles_taken.compare_exchange_strong(met, met + 1, std::memory_order_relaxed);
}

// The same for entry points; tools are told where there are any.
TULLE_COLD void tell_single(Thread* thread, bool executes);
inline bool take_told_single(Thread* thread) {
  const bool executes = take_single(thread);
  if (tool::active()) tell_single(thread, executes);
  return executes;
}

// The executing thread hands `data` to the others, which receive it; the caller has the team meet
// at a barrier before `data` ends or the next copyprivate begins. Both contain a barrier, which
// orders the slot.
TULLE_MAY_SUSPEND inline void send_copyprivate(Thread* thread, void* data) {
  thread->team->broadcast.store(data, std::memory_order_relaxed);
  barrier(thread);
}
TULLE_MAY_SUSPEND inline void* receive_copyprivate(Thread* thread) {
  barrier(thread);
  return thread->team->broadcast.load(std::memory_order_relaxed);
}

}  // namespace tulle::omp
