// SPDX-License-Identifier: Apache-2.0
// Which worker runs under a TLS block, and whose it is. Looks at all workers, for signals (sched/signals.h) and in
// their handlers: what they say may be stale when they return.
#pragma once

#include "base/look.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

inline bool has_os_thread(const Worker* w) {
  if (look(w->guests) == Guests::itself || w->kernel_id.load(std::memory_order_seq_cst) == 0) return false;
  return w->kind == WorkerKind::foreign ? look(w->root) != nullptr : w->takes_work.load(std::memory_order_relaxed);
}

// The first that `wanted` accepts; null: none.
template <class Wanted>
Worker* find_worker(Wanted wanted) {
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count; ++i) {
    Worker* w = all_workers[i].load(std::memory_order_relaxed);
    if (w != nullptr && has_os_thread(w) && wanted(w)) return w;
  }
  return nullptr;
}

// Or will in a moment.
inline Worker* worker_under(uintptr_t base) {
  return find_worker([base](const Worker* w) { return look(w->tls) == base || look(w->entering) == base; });
}

// Whose OS thread's own block it is, a pthread of the program's; null: of none that enters regions.
inline Worker* foreign_owner(uintptr_t base) {
  return find_worker([base](const Worker* w) { return w->kind == WorkerKind::foreign && look(w->native_tls) == base; });
}

}  // namespace tulle::sched
