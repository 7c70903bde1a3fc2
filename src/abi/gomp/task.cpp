// SPDX-License-Identifier: Apache-2.0
// task, taskwait and taskyield. A task's argument block is copied when the task is created: by
// `copy` where it holds what has a copy constructor, as bytes otherwise. What an argument means is
// read only where its flag is set, since older code passes fewer.
#include <cstring>

#include "abi/gomp/dependences.h"
#include "abi/gomp/entry.h"
#include "abi/gomp/task_flags.h"
#include "omp/task_bare.h"

namespace gomp = tulle::abi::gomp;
namespace omp = tulle::omp;

namespace {

void no_body(void*) {}

// A detachable task's event is known by the address of its record, in the program's variable and in
// the first word of the argument block.
void announce_event(omp::Task* task, void* detach, void* data) {
  *static_cast<void**>(detach) = task;
  if (data != nullptr) *static_cast<void**>(data) = task;
}

struct Body {
  omp::TaskFunction function;
  void* data;
  gomp::CopyFunction copy;
  long bytes;
  long alignment;

  void copy_to(void* to) const {
    if (copy != nullptr)
      copy(to, data);
    else if (bytes != 0)
      memcpy(to, data, static_cast<size_t>(bytes));
  }
};

// Its creator waits for it, so it works on the creator's argument block.
void run_in_place(omp::Thread* thread, const Body& body, uint32_t bits, const omp::Dependence* list,
                  size_t count, void* detach) {
  omp::Task* task =
      omp::new_task(thread, body.function, 0, 1, bits | omp::kTaskUndeferred);
  if (detach != nullptr) announce_event(task, detach, body.data);
  omp::begin_undeferred(thread, task, list, count);
  body.function(body.data);
  omp::end_undeferred(omp::self(), task);
}

// A body that destroys what was copied must run, and so must one that an event was made for.
omp::Task* create(omp::Thread* thread, const Body& body, uint32_t bits, void* detach) {
  omp::Task* task = omp::new_task(thread, body.function, static_cast<size_t>(body.bytes),
                                  static_cast<size_t>(body.alignment), bits);
  if (detach != nullptr) announce_event(task, detach, body.data);
  if (detach != nullptr || body.copy != nullptr) omp::never_drop(task);
  body.copy_to(task->data);
  return task;
}

// `asked`: whether it had better be called, which was denied.
void create_or_run(omp::Thread* thread, const Body& body, bool at_once, uint32_t bits, int priority,
                   const omp::Dependence* list, size_t count, void* detach, bool asked) {
  if (at_once && body.copy == nullptr) {
    run_in_place(thread, body, bits, list, count, detach);
    return;
  }
  omp::Task* task = create(thread, body, at_once ? bits | omp::kTaskUndeferred : bits, detach);
  task->priority = priority;
  if (asked && count == 0)
    omp::defer_task(thread, task);
  else
    omp::submit_task(thread, task, list, count);
}

// Nothing but its body and its data matter.
bool is_plain(gomp::CopyFunction copy, unsigned flags) {
  return TULLE_LIKELY(copy == nullptr && (flags & gomp::kNotPlain) == 0) && omp::never_cancelled();
}

// These take all that GOMP_task does, so that its fast path has nothing to keep for them.

TULLE_NOINLINE void create_any(omp::TaskFunction function, void* data, gomp::CopyFunction copy,
                               long bytes, long alignment, bool deferred, unsigned flags,
                               void** depend, int priority, void* detach) {
  omp::Thread* thread = omp::self_or_attach();
  if (gomp::creation_cancelled(thread)) return;
  Body body{function, data, copy, bytes, alignment};
  uint32_t bits = gomp::task_bits(flags);
  if ((flags & gomp::kDetach) != 0)
    bits |= omp::kTaskDetachable;
  else
    detach = nullptr;
  priority = (flags & gomp::kPriority) != 0 ? gomp::task_priority(priority) : 0;
  bool depends = (flags & gomp::kDepend) != 0 && !omp::has_no_children(thread);
  bool at_once = !deferred || omp::runs_at_once(thread);
  bool plain = detach == nullptr && copy == nullptr && !depends;
  bool asks = plain && !at_once && priority <= 0;
  if (asks ? omp::prefers_call(thread, bits) : plain && at_once) {
    omp::call_task(thread, function, data, bits);
    return;
  }
  if ((flags & gomp::kDepend) == 0) {
    create_or_run(thread, body, at_once, bits, priority, nullptr, 0, detach, asks);
    return;
  }
  gomp::Dependences dependences(depend);
  create_or_run(thread, body, at_once, bits, priority, dependences.list(), dependences.count(),
                detach, asks);
}

// A plain task, of a team in which others could run it.
TULLE_NOINLINE void call_or_defer(omp::TaskFunction function, void* data, gomp::CopyFunction,
                                  long bytes, long alignment, bool, unsigned flags, void**, int,
                                  void*) {
  omp::Thread* thread = omp::self();
  uint32_t bits = gomp::task_bits(flags);
  if (omp::enough_queued(thread, bits)) {
    omp::call_bare(thread, function, data);
    return;
  }
  omp::defer_task(thread, create(thread, {function, data, nullptr, bytes, alignment}, bits, nullptr));
}

}  // namespace

TULLE_GOMP void GOMP_task(omp::TaskFunction function, void* data, gomp::CopyFunction copy,
                          long bytes, long alignment, bool deferred, unsigned flags,
                          void** depend, int priority, void* detach) {
  omp::Thread* thread = omp::self();
  if (thread == nullptr || !is_plain(copy, flags) ||
      !omp::can_be_bare(thread->task, gomp::task_bits(flags)))
    create_any(function, data, copy, bytes, alignment, deferred, flags, depend, priority, detach);
  else if (omp::calls_all(thread) || !deferred || omp::runs_at_once(thread))
    omp::call_bare(thread, function, data);
  else
    call_or_defer(function, data, copy, bytes, alignment, deferred, flags, depend, priority, detach);
}

TULLE_GOMP void GOMP_taskwait() { omp::taskwait(omp::self_or_attach()); }

TULLE_GOMP void GOMP_taskwait_depend(void** depend) {
  omp::Thread* thread = omp::self_or_attach();
  if (gomp::creation_cancelled(thread)) return;
  gomp::Dependences dependences(depend);
  omp::taskwait(thread, dependences.list(), dependences.count());
}

TULLE_GOMP void GOMP_taskwait_depend_nowait(void** depend) {
  omp::Thread* thread = omp::self_or_attach();
  if (gomp::creation_cancelled(thread)) return;
  gomp::Dependences dependences(depend);
  omp::Task* task = omp::new_task(thread, no_body, 0, 1, 0);
  omp::submit_task(thread, task, dependences.list(), dependences.count());
}

TULLE_GOMP void GOMP_taskyield() { omp::taskyield(omp::self_or_attach()); }
