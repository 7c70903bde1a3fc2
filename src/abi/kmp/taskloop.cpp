// SPDX-License-Identifier: Apache-2.0
//
// taskloop of Clang, Flang and Intel's compilers. The compiler makes one task as a pattern, whose
// block holds its bounds; each task of the loop is a copy of the block with bounds of its own.
// `Duplicate` constructs what a byte copy does not, and notes who has the last iteration. The pattern
// itself never runs.
#include <cstring>

#include "abi/kmp/task_head.h"
#include "abi/kmp/taskgroup.h"
#include "omp/replay/graph_region.h"
#include "omp/task/task_bare.h"
#include "omp/task/taskloop.h"
#include "omp/thread/team.h"
#include "omp/thread/thread.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"

namespace tulle::kmp {
namespace {

using Duplicate = void (*)(Task* copy, Task* pattern, int32_t last);

struct Loop {
  TaskHead* pattern;
  size_t lower_at;  // offsets of the bounds in the pattern's block
  size_t upper_at;
  uint64_t lower;
  int64_t step;
  bool deferred;
  Duplicate duplicate;
};

uint64_t& at(Task* task, size_t offset) {
  return *reinterpret_cast<uint64_t*>(reinterpret_cast<char*>(task) + offset);
}

TaskHead* copy_pattern(omp::Thread* thread, const Loop& loop) {
  TaskHead* pattern = loop.pattern;
  Task* from = task_of(pattern);
  TaskHead* head = make_task(thread, pattern->flags, pattern->task_bytes, pattern->shareds_bytes,
                             from->entry, !loop.deferred);
  Task* task = task_of(head);
  void* shareds = task->shareds;
  memcpy(static_cast<void*>(task), from,
         shareds_offset(pattern->task_bytes) + pattern->shareds_bytes);
  task->shareds = shareds;
  return head;
}

TULLE_MAY_SUSPEND void create_tasks(const Loop& loop, const omp::TaskloopSplit& split) {
  uint64_t lower = loop.lower;
  for (uint64_t i = 0; i < split.tasks; ++i) {
    omp::Thread* thread = omp::self();
    const uint64_t span = split.iterations(i) * static_cast<uint64_t>(loop.step);
    TaskHead* head = copy_pattern(thread, loop);
    Task* task = task_of(head);
    at(task, loop.lower_at) = lower;
    at(task, loop.upper_at) = lower + span - static_cast<uint64_t>(loop.step);
    if (loop.duplicate) loop.duplicate(task, task_of(loop.pattern), i + 1 == split.tasks);
    if (head->enrolled && TULLE_UNLIKELY((head->record->bits & omp::kTaskObserved) != 0))
      omp::tool::create_taskloop_part(thread, head->record, {split.begin(i), split.iterations(i)});
    submit(thread, head);
    lower += span;
  }
}

// Ends the pattern: a child without a body, of which only the destructors are called. To tools it is no task.
void discard(omp::Thread* thread, TaskHead* pattern) {
  omp::Task* record = pattern->record;
  if (pattern->enrolled) set_looked_at(record->bits, record->bits & ~uint32_t{omp::kTaskObserved});
  begin_inline(thread, pattern);
  end_inline(pattern);
}

// The sign of a 64-bit loop is in its step alone; 0 if it has no iterations.
uint64_t trip_count(uint64_t lower, uint64_t upper, int64_t step) {
  const uint64_t span = step > 0 ? upper - lower : lower - upper;
  const uint64_t stride = step > 0 ? static_cast<uint64_t>(step) : -static_cast<uint64_t>(step);
  // Compiled code guards against empty loops, whose span would wrap, but for the one of -1.
  return span == UINT64_MAX ? 0 : span / stride + 1;
}

struct Clauses {
  bool deferred;
  bool nogroup;
  bool strict;
  omp::TaskloopGrain grain;
  uint64_t value;
};

TULLE_MAY_SUSPEND void end_own_group(const void* code) {
  if (!omp::tool::active()) return end_group(omp::self());
  const omp::tool::GroupEnd told(omp::self(), code);
  end_group(omp::self());
}

TULLE_MAY_SUSPEND void run_taskloop(omp::Thread* thread, const Loop& loop, uint64_t trips, const Clauses& clauses) {
  omp::leave_out_of_graph(thread, "it has a taskloop");
  const void* code = omp::tool::active() ? omp::tool::of(thread).code : nullptr;
  if (!clauses.nogroup) {
    if (omp::tool::active()) omp::tool::begin_group(thread, code);
    begin_group(thread);
  }
  if (trips != 0)
    create_tasks(loop, omp::split_taskloop(trips, clauses.grain, clauses.value, clauses.strict,
                                           thread->team->nthreads));
  discard(omp::self(), loop.pattern);
  if (!clauses.nogroup) end_own_group(code);
}

TULLE_MAY_SUSPEND void taskloop(Task* pattern, uint64_t* lower, uint64_t* upper, int64_t step, const Clauses& clauses,
                                void* duplicate) {
  omp::Thread* thread = omp::self_or_attach();
  auto offset = [pattern](uint64_t* bound) {
    return static_cast<size_t>(reinterpret_cast<char*>(bound) - reinterpret_cast<char*>(pattern));
  };
  const Loop loop{head_of(pattern), offset(lower),    offset(upper),
                  *lower,           step,             clauses.deferred,
                  reinterpret_cast<Duplicate>(duplicate)};
  const uint64_t trips = trip_count(*lower, *upper, step);
  if (!omp::tool::active()) return run_taskloop(thread, loop, trips, clauses);
  omp::recorded_task(thread);  // whose loop it is, at its end too
  const omp::tool::Taskloop told(thread, trips);
  run_taskloop(thread, loop, trips, clauses);
}

}  // namespace

TULLE_KMP void __kmpc_taskloop(Ident*, int32_t, Task* pattern, int32_t deferred, uint64_t* lower,
                               uint64_t* upper, int64_t step, int32_t nogroup, int32_t grain,
                               uint64_t value, void* duplicate) {
  TULLE_CALLED();
  taskloop(pattern, lower, upper, step,
               {deferred != 0, nogroup != 0, false, static_cast<omp::TaskloopGrain>(grain), value},
               duplicate);
}

TULLE_KMP void __kmpc_taskloop_5(Ident*, int32_t, Task* pattern, int32_t deferred, uint64_t* lower,
                                 uint64_t* upper, int64_t step, int32_t nogroup, int32_t grain,
                                 uint64_t value, int32_t strict, void* duplicate) {
  TULLE_CALLED();
  taskloop(
      pattern, lower, upper, step,
      {deferred != 0, nogroup != 0, strict != 0, static_cast<omp::TaskloopGrain>(grain), value},
      duplicate);
}

}  // namespace tulle::kmp
