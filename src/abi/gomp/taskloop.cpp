// SPDX-License-Identifier: Apache-2.0
// taskloop. Each task gets a copy of the argument block, whose first two words are its part of the
// iterations; with a reduction, the third points to the descriptor. The direction of an unsigned
// loop is a flag, since its step is two's complement.
#include "omp/task/taskloop.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "abi/gomp/entry.h"
#include "abi/gomp/reduction.h"
#include "abi/gomp/task_flags.h"
#include "arch/float_control.h"
#include "omp/replay/graph_region.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_submit.h"
#include "omp/task/task_wait.h"
#include "omp/tool/called.h"
#include "omp/tool/events.h"

namespace gomp = tulle::abi::gomp;
namespace omp = tulle::omp;

namespace {

using gomp::CopyFunction;

struct Loop {
  omp::TaskFunction function;
  void* data;
  CopyFunction copy;
  size_t bytes;
  size_t alignment;
  unsigned flags;
  int32_t priority;
  uint64_t start, end, step;  // in two's complement, whatever the type of the iterations
  omp::TaskloopSplit split;
  uint64_t next = 0;  // parts before this one are tasks already

  uint64_t begin_of_part(uint64_t i) const { return start + split.begin(i) * step; }

  // Where part i ends that begins at `from`: the last one at the loop's own end, since a step
  // further could overflow.
  uint64_t end_of_part(uint64_t i, uint64_t from) const {
    return i + 1 == split.tasks ? end : from + split.iterations(i) * step;
  }
};

void set_part(void* block, uint64_t from, uint64_t to) {
  auto* words = static_cast<uint64_t*>(block);
  words[0] = from;
  words[1] = to;
}

// The descriptor of the loop's reduction.
uintptr_t*& reduction_of(void* data) { return static_cast<uintptr_t**>(data)[2]; }

// Calls `count` parts of `by` each (iterations times step) on one block, of which all but the bounds
// is left alone. Returns where the next one begins.
uint64_t call_equal(const Loop& loop, void* block, omp::Task* parent, uint64_t from, uint64_t by,
                    uint64_t count) {
  omp::TaskFunction function = loop.function;
  for (; count != 0; --count) {
    uint64_t to = from + by;
    set_part(block, from, to);
    function(block);
    omp::drop_record(omp::self(), parent);
    from = to;
  }
  return from;
}

// Parts that follow each other and are equal, except for the very last one.
uint64_t equal_parts(const omp::TaskloopSplit& split, uint64_t first, uint64_t count) {
  if (omp::cancellation_enabled()) return 1;  // looks after each part
  return first < split.longer ? std::min(count, split.longer - first) : count;
}

// Calls parts of the loop as bodies without a record: a body without anything to copy construct leaves
// the block as it was.
void call_parts(const Loop& loop, void* block, uint64_t first, uint64_t count) {
  omp::Task* parent = omp::begin_bare(omp::self());
  tulle::arch::KeepShortFloatControl keep;
  uint64_t from = loop.begin_of_part(first);
  bool ends = first + count == loop.split.tasks;
  if (ends) --count;
  while (count != 0 && !gomp::creation_cancelled(omp::self())) {
    uint64_t equal = equal_parts(loop.split, first, count);
    from = call_equal(loop, block, parent, from, loop.split.iterations(first) * loop.step, equal);
    first += equal;
    count -= equal;
  }
  if (ends && count == 0 && !gomp::creation_cancelled(omp::self()))
    call_equal(loop, block, parent, from, loop.end - from, 1);
  omp::end_bare(omp::self(), parent);
}

void call_all(void* data) {
  const Loop& loop = *static_cast<const Loop*>(data);
  call_parts(loop, loop.data, loop.next, loop.split.tasks - loop.next);
}

// In a record of its own where the bodies cannot do with that of the current task.
void run_in_place(omp::Thread* thread, const Loop& loop, uint32_t bits) {
  auto* data = const_cast<Loop*>(&loop);
  if (omp::can_be_bare(thread->task(), bits))
    call_all(data);
  else
    omp::call_task(thread, call_all, data, bits);
}

// Many parts: a few carriers are deferred, each of which calls parts that it claims, as undeferred
// tasks, until none is left. They lie in the taskgroup of the loop, whose end waits for all of them.
// Carriers begin untied, so that where one blocks another one may begin in the same thread's name.
struct Carried {
  const Loop& loop;
  uint32_t bits;
  omp::PartClaims claims;
};

constexpr size_t kCarriedBytes = 512;

void carry(void* data) {
  Carried& carried = **static_cast<Carried**>(data);
  const Loop loop = carried.loop;
  alignas(64) char block[kCarriedBytes];
  memcpy(block, loop.data, loop.bytes);
  if ((carried.bits & omp::kTaskUntied) == 0) omp::become_tied(omp::self());
  uint64_t first;
  while (uint64_t count = carried.claims.claim(first)) call_parts(loop, block, first, count);
}

bool can_be_carried(const Loop& loop) {
  return loop.copy == nullptr && loop.priority <= 0 && loop.bytes <= kCarriedBytes &&
         loop.alignment <= 64;
}

// The caller waits for the end of the taskgroup before `carried` goes.
void create_carriers(omp::Thread* thread, Carried& carried, uint32_t carriers) {
  for (uint32_t i = 0; i < carriers; ++i) {
    omp::Task* task =
        omp::new_task(thread, carry, sizeof(Carried*), alignof(Carried*),
                      carried.bits | omp::kTaskUntied);
    *static_cast<Carried**>(task->data) = &carried;
    omp::submit_task(thread, task);
    thread = omp::self();
  }
}

// Part i, which begins at `from`. Returns where the next one does.
uint64_t create_task(omp::Thread* thread, const Loop& loop, uint64_t i, uint64_t from, uint32_t bits) {
  uint64_t to = loop.end_of_part(i, from);
  omp::Task* task = omp::new_task(thread, loop.function, loop.bytes, loop.alignment, bits);
  task->priority = loop.priority;
  task->site = gomp::site_of(loop.function);
  if (loop.copy != nullptr) {
    omp::never_drop(task);  // the body destroys what is copied
    loop.copy(task->data, loop.data);
  } else {
    memcpy(task->data, loop.data, loop.bytes);
  }
  set_part(task->data, from, to);
  if (TULLE_UNLIKELY((task->bits & omp::kTaskObserved) != 0))
    omp::tool::create_taskloop_part(thread, task, {loop.split.begin(i), loop.split.iterations(i)});
  omp::submit_task(thread, task);
  return to;
}

void create_tasks(omp::Thread* thread, const Loop& loop, uint32_t bits) {
  uint64_t from = loop.begin_of_part(loop.next);
  for (uint64_t i = loop.next; i < loop.split.tasks; ++i) {
    from = create_task(thread, loop, i, from, bits);
    thread = omp::self();
  }
}

// Each part is a task to tools, as long as they are there.
TULLE_COLD void create_told(Loop& loop, uint32_t bits) {
  for (; loop.next < loop.split.tasks && omp::tasks_observed(); ++loop.next)
    create_task(omp::self(), loop, loop.next, loop.begin_of_part(loop.next), bits);
}

// A body that reduces asks for the number of its thread once and finds that one's copy by itself: it is
// tied, whatever the program says.
uint32_t task_bits(const Loop& loop) {
  uint32_t bits = gomp::task_bits(loop.flags);
  return (loop.flags & gomp::kReduction) != 0 ? bits & ~uint32_t{omp::kTaskUntied} : bits;
}

void run(omp::Thread* thread, const Loop& loop, bool at_once) {
  uint32_t bits = task_bits(loop);
  if (at_once && loop.copy == nullptr)
    run_in_place(thread, loop, bits);
  else
    create_tasks(thread, loop, at_once ? bits | omp::kTaskUndeferred : bits);
}

bool is_group(const Loop& loop) { return (loop.flags & gomp::kNogroup) == 0; }
bool reduces(const Loop& loop) { return is_group(loop) && (loop.flags & gomp::kReduction) != 0; }

// Tools have been there all the while, so no part is left.
bool is_all_told(Loop& loop, bool at_once) {
  if (!omp::tasks_observed()) return false;
  create_told(loop, at_once ? task_bits(loop) | omp::kTaskUndeferred : task_bits(loop));
  return loop.next == loop.split.tasks;
}

void end_group(const void* code) {
  if (!omp::tool::active()) return omp::taskgroup_end(omp::self());
  const omp::tool::GroupEnd told(omp::self(), code);
  omp::taskgroup_end(omp::self());
}

void run_in_group(omp::Thread* thread, Loop& loop, bool at_once) {
  omp::TaskGroup taskgroup;
  const void* code = nullptr;
  if (omp::tool::active()) omp::tool::begin_group(thread, code = omp::tool::of(thread).code);
  omp::taskgroup_begin(thread, &taskgroup);
  if (reduces(loop)) gomp::register_for_group(thread, reduction_of(loop.data));
  if (is_all_told(loop, at_once)) return end_group(code);
  uint32_t carriers = omp::taskloop_carriers(omp::self(), loop.split.tasks - loop.next);
  Carried carried{loop, task_bits(loop), {loop.next, loop.split.tasks, carriers}};
  if (carriers != 0 && !at_once && can_be_carried(loop))
    create_carriers(omp::self(), carried, carriers);
  else
    run(omp::self(), loop, at_once);
  end_group(code);
}

void run_taskloop(omp::Thread* thread, Loop& loop, uint64_t trips, uint64_t grain) {
  omp::leave_out_of_graph(thread, "it has a taskloop");
  if (trips == 0 || gomp::creation_cancelled(thread)) {
    if (reduces(loop)) reduction_of(loop.data)[2] = 0;  // nothing was registered
    return;
  }
  auto kind = (loop.flags & gomp::kGrainsize) != 0 ? omp::TaskloopGrain::grainsize
              : grain != 0                         ? omp::TaskloopGrain::num_tasks
                                                   : omp::TaskloopGrain::none;
  loop.split = omp::split_taskloop(trips, kind, grain, (loop.flags & gomp::kStrict) != 0,
                                   thread->team->nthreads);
  bool at_once = omp::taskloop_called_at_once(thread, (loop.flags & gomp::kIf) == 0, loop.priority);
  if (is_group(loop))
    run_in_group(thread, loop, at_once);
  else if (!is_all_told(loop, at_once))
    run(omp::self(), loop, at_once);
}

TULLE_COLD void run_told(omp::Thread* thread, Loop& loop, uint64_t trips, uint64_t grain) {
  omp::recorded_task(thread);  // whose loop it is, at its end too
  const omp::tool::Taskloop told(thread, trips);
  run_taskloop(thread, loop, trips, grain);
}

void taskloop(Loop loop, uint64_t trips, uint64_t grain) {
  omp::Thread* thread = omp::self_or_attach();
  if (omp::tool::active()) return run_told(thread, loop, trips, grain);
  run_taskloop(thread, loop, trips, grain);
}

uint64_t trips(uint64_t span, uint64_t step) { return span / step + (span % step != 0 ? 1 : 0); }

}  // namespace

TULLE_GOMP void GOMP_taskloop(omp::TaskFunction function, void* data, CopyFunction copy,
                              long bytes, long alignment, unsigned flags, unsigned long grain,
                              int priority, long start, long end, long step) {
  TULLE_CALLED();
  auto from = static_cast<uint64_t>(start), to = static_cast<uint64_t>(end),
       by = static_cast<uint64_t>(step);
  uint64_t count = 0;
  if (step > 0 && start < end) count = trips(to - from, by);
  if (step < 0 && start > end) count = trips(from - to, -by);
  taskloop({function, data, copy, static_cast<size_t>(bytes), static_cast<size_t>(alignment), flags,
            gomp::task_priority(priority), from, to, by, {}, 0},
           count, grain);
}

TULLE_GOMP void GOMP_taskloop_ull(omp::TaskFunction function, void* data, CopyFunction copy,
                                  long bytes, long alignment, unsigned flags, unsigned long grain,
                                  int priority, unsigned long long start, unsigned long long end,
                                  unsigned long long step) {
  TULLE_CALLED();
  uint64_t count = 0;
  if ((flags & gomp::kUp) != 0 && start < end) count = trips(end - start, step);
  if ((flags & gomp::kUp) == 0 && start > end) count = trips(start - end, -step);
  taskloop({function, data, copy, static_cast<size_t>(bytes), static_cast<size_t>(alignment), flags,
            gomp::task_priority(priority), start, end, step, {}, 0},
           count, grain);
}
