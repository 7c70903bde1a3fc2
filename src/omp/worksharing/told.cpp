// SPDX-License-Identifier: Apache-2.0
#include "omp/worksharing/told.h"

#include "omp/task/task_bare.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"
#include "omp/worksharing/single.h"
#include "omp/worksharing/work_share_table.h"

namespace tulle::omp {

using tool::MutexKind;
using tool::SyncKind;
using tool::SyncRegion;

namespace {

Thread* called(const void* code) {
  Thread* thread = self_or_attach();
  tool::called_from(thread, code);
  return thread;
}

const void* code_of(Thread* thread) { return tool::of(thread).code; }

// What members wait for whose loop it is: its slot, where one is needed.
const void* ordered_id(const Thread* thread) {
  const WorkShare* share = thread->work_share;
  const ShareSlot* slot = share != nullptr ? share->slot.slot : nullptr;
  return slot != nullptr ? static_cast<const void*>(slot) : &thread->team->work_shares;
}

}  // namespace

void told_barrier(SyncKind kind, const void* code) {
  Thread* thread = called(code);
  tool::end_work(thread);
  SyncRegion region(thread, kind, code_of(thread));
  barrier(thread);
}

bool told_barrier_cancellable(SyncKind kind, const void* code) {
  Thread* thread = called(code);
  tool::end_work(thread);
  bool cancelled;
  {
    SyncRegion region(thread, kind, code_of(thread));
    cancelled = barrier_cancellable(thread);
  }
  if (cancelled) told_cancel(self(), tool::kCancelParallel | tool::kCancelDetected, code);
  return cancelled;
}

void told_cancel(Thread* thread, int flags, const void* code) {
  tool::called_from(thread, code);
  tool::cancel(thread, flags, code_of(thread));
}

void told_taskwait(const Dependence* list, size_t count, const void* code) {
  Thread* thread = called(code);
  SyncRegion region(thread, SyncKind::taskwait, code_of(thread));
  if (count != 0)
    taskwait(thread, list, count);
  else
    taskwait(thread);
}

void told_ordered_begin(const void* code) {
  Thread* thread = self_or_attach();
  const void* place = tool::in_program(thread, code);
  tool::acquire(thread, MutexKind::ordered, ordered_id(thread), place);
  ordered_begin(thread);
  tool::acquired(thread, MutexKind::ordered, ordered_id(thread), place);
}

void told_ordered_end(const void* code) {
  Thread* thread = self_or_attach();
  const void* id = ordered_id(thread);
  ordered_end(thread);
  tool::released(MutexKind::ordered, id, tool::in_program(thread, code));
}

void tell_single(Thread* thread, bool executes) { tool::single(thread, executes); }

void told_taskgroup_begin(const void* code) {
  Thread* thread = called(code);
  recorded_task(thread);  // whose group it is, at its end too
  tool::begin_group(thread, code_of(thread));
}

void told_taskgroup_end(void (*end)(Thread*), const void* code) {
  Thread* thread = called(code);
  tool::GroupEnd region(thread, code_of(thread));
  end(thread);
}

}  // namespace tulle::omp
