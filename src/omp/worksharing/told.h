// SPDX-License-Identifier: Apache-2.0
// Constructs at whose end threads wait, for entry points: tools are told of them where there are any. What is inlined
// takes the address that the entry point returns to.
#pragma once

#include "omp/task/depend_wait.h"
#include "omp/task/task_wait.h"
#include "omp/tool/called.h"
#include "omp/tool/interface.h"
#include "omp/worksharing/barrier.h"
#include "omp/worksharing/cancel.h"
#include "omp/worksharing/ordered.h"

namespace tulle::omp {

TULLE_MAY_SUSPEND TULLE_COLD void told_barrier(tool::SyncKind kind, const void* code);
TULLE_MAY_SUSPEND TULLE_COLD bool told_barrier_cancellable(tool::SyncKind kind, const void* code);
TULLE_MAY_SUSPEND TULLE_COLD void told_taskwait(const Dependence* list, size_t count, const void* code);

TULLE_MAY_SUSPEND TULLE_COLD void told_ordered_begin(const void* code);
TULLE_COLD void told_ordered_end(const void* code);

// A cancel construct has taken effect, or the thread has found that one did: it leaves. `flags`: tool::CancelFlags.
TULLE_COLD void told_cancel(Thread* thread, int flags, const void* code);

// Around what an interface does at the begin and at the end of a taskgroup.
TULLE_COLD void told_taskgroup_begin(const void* code);
TULLE_MAY_SUSPEND TULLE_COLD void told_taskgroup_end(void (*end)(Thread* thread), const void* code);

TULLE_MAY_SUSPEND TULLE_INLINE void meet(tool::SyncKind kind) {
  if (tool::active()) return told_barrier(kind, TULLE_CALLER());
  barrier(self_or_attach());
}

TULLE_MAY_SUSPEND TULLE_INLINE bool meet_cancellable(tool::SyncKind kind) {
  if (tool::active()) return told_barrier_cancellable(kind, TULLE_CALLER());
  return barrier_cancellable(self_or_attach());
}

TULLE_MAY_SUSPEND TULLE_INLINE void wait_for_children() {
  if (tool::active()) return told_taskwait(nullptr, 0, TULLE_CALLER());
  taskwait(self_or_attach());
}

TULLE_MAY_SUSPEND TULLE_INLINE void wait_for_children(const Dependence* list, size_t count) {
  if (tool::active()) return told_taskwait(list, count, TULLE_CALLER());
  taskwait(self_or_attach(), list, count);
}

TULLE_MAY_SUSPEND TULLE_INLINE void enter_ordered() {
  if (tool::active()) return told_ordered_begin(TULLE_CALLER());
  ordered_begin(self_or_attach());
}

TULLE_INLINE void leave_ordered() {
  if (tool::active()) return told_ordered_end(TULLE_CALLER());
  ordered_end(self_or_attach());
}

// Whether a cancel construct, or what has looked for one, makes the thread leave what `flags` say.
TULLE_INLINE bool leaves_by_cancel(bool leaves, Thread* thread, int flags) {
  if (leaves && tool::active()) told_cancel(thread, flags, TULLE_CALLER());
  return leaves;
}

TULLE_INLINE void begin_told_taskgroup() {
  if (tool::active()) told_taskgroup_begin(TULLE_CALLER());
}

TULLE_MAY_SUSPEND TULLE_INLINE void end_told_taskgroup(void (*end)(Thread* thread)) {
  if (tool::active()) return told_taskgroup_end(end, TULLE_CALLER());
  end(self());
}

}  // namespace tulle::omp
