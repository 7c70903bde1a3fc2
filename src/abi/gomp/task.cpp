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

// `asked`: whether it had better be called, which was denied. A body that destroys what was copied must
// run, and so must one that an event was made for.
void create(omp::Thread* thread, const Body& body, uint32_t bits, int priority,
            const omp::Dependence* list, size_t count, void* detach, bool asked) {
  omp::Task* task = omp::new_task(thread, body.function, static_cast<size_t>(body.bytes),
                                  static_cast<size_t>(body.alignment), bits);
  task->priority = priority;
  if (detach != nullptr) announce_event(task, detach, body.data);
  if (detach != nullptr || body.copy != nullptr) task->bits &= ~omp::kTaskCancellable;
  body.copy_to(task->data);
  if (count != 0)
    omp::submit_task(thread, task, list, count);
  else if (asked)
    omp::defer_task(thread, task);
  else
    omp::submit_task(thread, task);
}

void create_or_run(omp::Thread* thread, const Body& body, bool deferred, uint32_t bits,
                   int priority, const omp::Dependence* list, size_t count, void* detach) {
  bool at_once = !deferred || gomp::runs_at_once(thread);
  bool plain = detach == nullptr && body.copy == nullptr && (count == 0 || omp::has_no_children(thread));
  bool asks = plain && !at_once && priority <= 0;
  if (asks ? omp::prefers_call(thread, bits) : plain && at_once)
    omp::call_task(thread, body.function, body.data, bits);
  else if (at_once && body.copy == nullptr)
    run_in_place(thread, body, bits, list, count, detach);
  else
    create(thread, body, at_once ? bits | omp::kTaskUndeferred : bits, priority, list, count,
           detach, asks);
}

}  // namespace

namespace {

// Nothing but its body and its data matter, and it can do without a record.
bool is_plain(omp::Thread* thread, gomp::CopyFunction copy, unsigned flags) {
  return TULLE_LIKELY(thread != nullptr && copy == nullptr && (flags & gomp::kNotPlain) == 0) &&
         omp::can_be_bare(thread->task, gomp::task_bits(flags)) && !gomp::creation_cancelled(thread);
}

TULLE_NOINLINE void defer_plain(omp::Thread* thread, omp::TaskFunction function, void* data,
                                long bytes, long alignment, unsigned flags) {
  create(thread, {function, data, nullptr, bytes, alignment}, gomp::task_bits(flags), 0, nullptr, 0,
         nullptr, true);
}

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
  if ((flags & gomp::kDepend) == 0) {
    create_or_run(thread, body, deferred, bits, priority, nullptr, 0, detach);
    return;
  }
  gomp::Dependences dependences(depend);
  create_or_run(thread, body, deferred, bits, priority, dependences.list(), dependences.count(),
                detach);
}

}  // namespace

TULLE_GOMP void GOMP_task(omp::TaskFunction function, void* data, gomp::CopyFunction copy,
                          long bytes, long alignment, bool deferred, unsigned flags,
                          void** depend, int priority, void* detach) {
  omp::Thread* thread = omp::self();
  if (!is_plain(thread, copy, flags))
    create_any(function, data, copy, bytes, alignment, deferred, flags, depend, priority, detach);
  else if (!deferred || gomp::runs_at_once(thread) ||
           omp::prefers_call(thread, gomp::task_bits(flags)))
    omp::call_bare(thread, function, data);
  else
    defer_plain(thread, function, data, bytes, alignment, flags);
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
