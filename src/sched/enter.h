// SPDX-License-Identifier: Apache-2.0
// The frame in force at a worker: whose it is, under which TLS block. Every beginning, call,
// return, resumption and service goes through this pair.
#pragma once

#include "sched/guest.h"
#include "sched/signals.h"
#include "sched/worker.h"

namespace tulle::sched {

// The footing of frames that are to go on: the block under which they began (compilers keep addresses of thread-local
// data), and the foreign worker on whose OS thread's own stack they lie; null: none.
struct Footing {
  uintptr_t tls;
  Worker* home;
};

inline Footing footing_of(const Entity* entity) { return {entity->worker->tls, entity->home}; }

// Holder of the entity: `frame` runs on w from now on.
inline void enter(Worker* w, Entity* entity, Frame* frame, Footing footing) {
  use_tls(w, footing.tls);
  entity->worker = w;
  entity->home = footing.home;
  entity->frame = frame;
  w->running.store(entity, std::memory_order_release);  // for the monitor
  if constexpr (!ult::port::kNative)
    w->kernel_id.store(ult::port::kernel_id(), std::memory_order_relaxed);  // relaxed: for the monitor
  if (TULLE_LIKELY(w->enters_plainly))
    set_current(entity);
  else
    enter_with_care(w, entity);
}

// On frames of the thread whose block `current` is in force: puts that of the thread in force which w is about to enter.
// False, and nothing has changed: signals are in use, and one may be handled there. The first request of all may be
// answered meanwhile; who sent it finds the block in force, or it is seen here.
inline bool moves_plainly(Worker* w, uintptr_t base, uintptr_t current) {
  if (TULLE_UNLIKELY(!w->enters_plainly)) return false;
  use_tls(w, base);
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (TULLE_LIKELY(w->enters_plainly)) return true;
  use_tls(w, current);
  return false;
}

// Nothing of an entity runs on w, but its loop: under its own block, or where it has none yet its OS
// thread's.
inline void leave(Worker* w) { use_tls(w, w->own_tls != 0 ? w->own_tls : w->native_tls); }

// From now on others may run tasks in the entity's name, while its frames wait below a call on their stack.
// They take it back when that call has ended: by try_acquire() and enter(), or, while something runs in its
// name, on a worker that runs nothing else under its own block, when nothing does.
inline void lend(Entity* entity) {
  ult::happens_before(entity);
  entity->mailbox.store(0, std::memory_order_release);  // pairs with try_acquire
}
TULLE_MAY_SUSPEND void take_back_later(Entity* entity, Worker* w, Frame* frame, Footing footing);

}  // namespace tulle::sched
