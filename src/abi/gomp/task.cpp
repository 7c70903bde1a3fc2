// SPDX-License-Identifier: Apache-2.0
// task, taskwait and taskyield. A task's argument block is copied when the task is created: by
// `copy` where it holds what has a copy constructor, as bytes otherwise. What an argument means is
// read only where its flag is set, since older code passes fewer.
#include <cstring>

#include "abi/gomp/dependences.h"
#include "abi/gomp/entry.h"
#include "abi/gomp/task_flags.h"
#include "omp/replay/graph_region.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_choice.h"
#include "omp/task/task_submit.h"
#include "omp/tool/called.h"
#include "omp/worksharing/told.h"

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

// The arguments of GOMP_task.
struct Request {
  omp::TaskFunction function;
  void* data;
  gomp::CopyFunction copy;
  long bytes;
  long alignment;
  bool deferred;
  unsigned flags;
  void** depend;
  int priority;
  void* detach;

  // The variable for the event of a detachable task; else null.
  void* event() const { return (flags & gomp::kDetach) != 0 ? detach : nullptr; }

  int task_priority() const {
    return (flags & gomp::kPriority) != 0 ? gomp::task_priority(priority) : 0;
  }

  uint32_t bits() const {
    return gomp::task_bits(flags) | ((flags & gomp::kDetach) != 0 ? omp::kTaskDetachable : 0u) |
           ((flags & gomp::kDepend) != 0 ? omp::kTaskFollows : 0u);
  }
};

// Its maker waits for it, so it works on the maker's argument block.
void run_in_place(omp::Thread* thread, const Request& request, const omp::Dependence* list,
                  size_t count) {
  omp::Task* task =
      omp::new_task(thread, request.function, 0, 1, request.bits() | omp::kTaskUndeferred);
  task->priority = request.task_priority();
  if (request.event() != nullptr) announce_event(task, request.event(), request.data);
  omp::begin_undeferred(thread, task, list, count);
  request.function(request.data);
  omp::end_undeferred(omp::self(), task);
}

omp::Task* create(omp::Thread* thread, const Request& request, uint32_t bits) {
  omp::Task* task = omp::new_task(thread, request.function, static_cast<size_t>(request.bytes),
                                  static_cast<size_t>(request.alignment), bits);
  task->priority = request.task_priority();
  task->site = gomp::site_of(request.function);
  if (request.event() != nullptr) announce_event(task, request.event(), request.data);
  // A body that destroys what was copied must run, and so must one that an event was made for.
  if (request.event() != nullptr || request.copy != nullptr) omp::never_drop(task);
  if (request.copy != nullptr)
    request.copy(task->data, request.data);
  else if (request.bytes != 0)
    memcpy(task->data, request.data, static_cast<size_t>(request.bytes));
  return task;
}

// A task that its maker waits for; what has a copy constructor has to be copied.
void call_in_place(omp::Thread* thread, const Request& request, const gomp::Dependences& dependences) {
  if (request.copy == nullptr) {
    run_in_place(thread, request, dependences.items(), dependences.count());
    return;
  }
  omp::Task* task = create(thread, request, request.bits() | omp::kTaskUndeferred);
  omp::submit_task(thread, task, dependences.items(), dependences.count());
}

// Copies of a task's data that fit here are made on the stack of the maker that calls it.
constexpr long kCopiedOnStack = 4096;

bool copied_on_stack(const Request& request) {
  return request.bytes + request.alignment <= kCopiedOnStack && omp::never_cancelled();
}

// A task that its maker calls, with copies of its data of its own.
TULLE_NOINLINE TULLE_MAY_SUSPEND void call_copied(const Request& request, uint32_t bits) {
  const auto alignment = static_cast<uintptr_t>(request.alignment > 0 ? request.alignment : 1);
  auto room = reinterpret_cast<uintptr_t>(__builtin_alloca(static_cast<size_t>(request.bytes) + alignment));
  auto* data = reinterpret_cast<void*>((room + alignment - 1) & ~(alignment - 1));
  request.copy(data, request.data);
  omp::call_task(omp::self(), request.function, data, bits);
}

// Writes the task down where its region's graph is recorded.
TULLE_COLD void record(omp::Thread* thread, const Request& request) {
  omp::GraphRecording* recording = omp::recording_of(thread);
  if (recording == nullptr) return;
  if (request.event() != nullptr) return recording->leave_out("a task of it has an event");
  if (request.copy != nullptr) return recording->leave_out("a task of it copies an object by a function");
  omp::GraphConstruct construct{request.function, request.bits(),
                                static_cast<uint32_t>(request.bytes),
                                static_cast<uint32_t>(request.alignment)};
  if ((request.flags & gomp::kDepend) != 0) {
    gomp::Dependences dependences(request.depend);
    recording->add(construct, request.data, dependences.items(), dependences.count());
  } else {
    recording->add(construct, request.data, nullptr, 0);
  }
  if (!request.deferred) recording->wait_for_last();
}

void submit(omp::Thread* thread, const Request& request, uint32_t bits, const gomp::Dependences& dependences) {
  omp::submit_task(thread, create(thread, request, bits), dependences.items(), dependences.count(),
                   reinterpret_cast<const void*>(request.function));
}

// A task that is plain but for its dependences.
TULLE_NOINLINE void submit_plain(omp::Thread* thread, const Request& request) {
  submit(thread, request, request.bits(), gomp::Dependences(request.depend));
}

TULLE_NOINLINE void create_any(const Request& request) {
  omp::Thread* thread = omp::self_or_attach();
  if (gomp::creation_cancelled(thread)) return;
  if (omp::somebody_records()) record(thread, request);
  const bool needs_record =
      request.event() != nullptr || (request.copy != nullptr && !copied_on_stack(request)) ||
      request.task_priority() > 0 || omp::tasks_observed();
  const uint32_t bits = request.bits(), undeferred = request.deferred ? 0u : omp::kTaskUndeferred;
  const omp::Choice choice =
      omp::choose(thread, {gomp::site_of(request.function), bits | undeferred, needs_record});
  thread = omp::self();
  if (choice == omp::Choice::bare && request.copy != nullptr) {
    call_copied(request, bits);
  } else if (choice == omp::Choice::bare) {
    omp::call_task(thread, request.function, request.data, bits);
  } else if (choice == omp::Choice::keep) {
    omp::defer_task(thread, create(thread, request, bits));
  } else {
    static void* none[5] = {};
    const gomp::Dependences dependences((request.flags & gomp::kDepend) != 0 ? request.depend : none);
    if (choice == omp::Choice::in_place)
      call_in_place(thread, request, dependences);
    else
      submit(thread, request, bits, dependences);
  }
}

// Nothing but its body and its data matter.
bool is_plain(gomp::CopyFunction copy, unsigned flags) {
  return TULLE_LIKELY(copy == nullptr && (flags & gomp::kNotPlain) == 0) && omp::nobody_looks();
}

// A plain task that others could run.
TULLE_NOINLINE void create_plain(omp::Thread* thread, omp::TaskFunction function, void* data,
                                 long bytes, long alignment, uint32_t bits) {
  uint16_t site = gomp::site_of(function);
  if (omp::enough_queued(thread, site, bits)) {
    omp::call_bare(thread, function, data);
    return;
  }
  omp::Task* task = omp::new_task(thread, function, static_cast<size_t>(bytes),
                                  static_cast<size_t>(alignment), bits);
  task->site = site;
  if (bytes != 0) memcpy(task->data, data, static_cast<size_t>(bytes));
  omp::defer_task(thread, task);
}

// With the arguments of GOMP_task, so that it can be left to this by a jump, and returns to the program.
TULLE_NOINLINE void create_other(omp::TaskFunction function, void* data, gomp::CopyFunction copy, long bytes,
                                 long alignment, bool deferred, unsigned flags, void** depend, int priority,
                                 void* detach) {
  TULLE_CALLED();
  omp::Thread* thread = omp::self();
  const bool depends_only = copy == nullptr && (flags & gomp::kNotPlain) == gomp::kDepend;
  const uint32_t bits = gomp::task_bits(flags);
  if (!depends_only || thread == nullptr || !omp::nobody_looks() || !omp::follows_nothing(thread, bits))
    create_any({function, data, copy, bytes, alignment, deferred, flags, depend, priority, detach});
  else if (omp::follower_called(thread, gomp::site_of(function), bits, deferred))
    omp::call_bare(thread, function, data);
  else
    submit_plain(thread, {function, data, copy, bytes, alignment, deferred, flags, depend, priority, detach});
}

}  // namespace

TULLE_GOMP void GOMP_task(omp::TaskFunction function, void* data, gomp::CopyFunction copy,
                          long bytes, long alignment, bool deferred, unsigned flags,
                          void** depend, int priority, void* detach) {
  omp::Thread* thread = omp::self();
  uint32_t bits = gomp::task_bits(flags);
  if (thread == nullptr || !is_plain(copy, flags) || !omp::can_be_bare(thread->task(), bits))
    create_other(function, data, copy, bytes, alignment, deferred, flags, depend, priority, detach);
  else if (omp::called_at_once(thread, deferred))
    omp::call_bare(thread, function, data);
  else
    create_plain(thread, function, data, bytes, alignment, bits);
}

TULLE_GOMP void GOMP_taskwait() { omp::wait_for_children(); }

TULLE_GOMP void GOMP_taskwait_depend(void** depend) {
  omp::Thread* thread = omp::self_or_attach();
  if (gomp::creation_cancelled(thread)) return;
  gomp::Dependences dependences(depend);
  if (omp::somebody_records())
    omp::record_taskwait(thread, dependences.items(), dependences.count());
  omp::wait_for_children(dependences.items(), dependences.count());
}

TULLE_GOMP void GOMP_taskwait_depend_nowait(void** depend) {
  TULLE_CALLED();
  omp::Thread* thread = omp::self_or_attach();
  if (gomp::creation_cancelled(thread)) return;
  gomp::Dependences dependences(depend);
  if (omp::somebody_records())
    omp::record_empty_task(thread, dependences.items(), dependences.count());
  omp::Task* task = omp::new_task(thread, no_body, 0, 1, 0);
  omp::submit_task(thread, task, dependences.items(), dependences.count());
}

TULLE_GOMP void GOMP_taskyield() { omp::taskyield(omp::self_or_attach()); }
