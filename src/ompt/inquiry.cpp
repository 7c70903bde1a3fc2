// SPDX-License-Identifier: Apache-2.0
#include "ompt/inquiry.h"

#include "base/look.h"
#include "omp/region/spinning.h"

namespace tulle::ompt {

namespace tool = omp::tool;

namespace {

// The calling thread, unless its worker is about to go over to another; nor one that ran last on a worker in its loop,
// and runs elsewhere by now.
omp::Thread* settled_thread() {
  omp::Thread* thread = omp::self();
  if (thread == nullptr || thread->tool == nullptr) return nullptr;
  const sched::Worker* w = thread->worker;
  // Relaxed: the calling OS thread writes it.
  if (w == nullptr || w->running.load(std::memory_order_relaxed) != thread) return nullptr;
  return look(w->tls) == arch::tls_base() ? thread : nullptr;
}

// A task, and the thread in whose name it runs or which waits for it; what tools keep for the task and its region,
// which are those of teams of leagues first.
struct Place {
  omp::Thread* thread = nullptr;
  omp::Task* task = nullptr;
  const memory::Stack* asked_on = nullptr;
  tool::OfTask* record = nullptr;
  tool::OfRegion* region = nullptr;

  void come_to(omp::Thread* at, omp::Task* its) {
    thread = at;
    task = its;
    record = task != nullptr ? task->tool : nullptr;
    region = thread != nullptr ? thread->team->tool : nullptr;
  }

  // From an explicit task to its parent, from an implicit one to who encountered the region.
  void go_out() {
    if (task->parent != nullptr && (task->bits & omp::kTaskExplicit) != 0) return come_to(thread, task->parent);
    if (record != nullptr && region != nullptr && record->around != nullptr && region->around != nullptr) {
      record = record->around;
      region = region->around;
      return;
    }
    omp::Thread* outer = thread->team->parent;
    come_to(outer, outer != nullptr ? outer->task() : nullptr);
  }
};

Place place_at(int level) {
  omp::Thread* thread = settled_thread();
  if (thread == nullptr || level < 0) return {};
  Place place;
  place.asked_on = thread->worker->stack;
  place.come_to(thread, thread->task());
  for (; level > 0 && place.task != nullptr; --level) place.go_out();
  return place;
}

int flags_of(const omp::Task* task, const tool::OfRegion& region) {
  if ((task->bits & omp::kTaskExplicit) == 0) {
    const bool initial = task->team->parent == nullptr || region.of_target;
    return static_cast<int>(initial ? tool::kInitialTask : tool::kImplicitTask);
  }
  uint32_t flags = tool::kExplicitTask;
  if ((task->bits & omp::kTaskUndeferred) != 0) flags |= tool::kUndeferredTask;
  if ((task->bits & omp::kTaskUntied) != 0) flags |= tool::kUntiedTask;
  if ((task->bits & omp::kTaskFinal) != 0) flags |= tool::kFinalTask;
  return static_cast<int>(flags);
}

FrameRecord no_frame;  // of tasks that are on other stacks

template <class T>
void answer(T* asked, T value) {
  if (asked != nullptr) *asked = value;
}

}  // namespace

Data* thread_data(uint32_t number) {
  omp::Thread* thread = omp::self();
  return thread != nullptr && thread->tool != nullptr ? &thread->tool->data[number] : nullptr;
}

int state(uint64_t* wait_id) {
  answer(wait_id, uint64_t{0});
  omp::Thread* thread = settled_thread();
  if (thread == nullptr || thread->task() == nullptr) return tool::kUndefined;
  answer(wait_id, thread->tool->wait_id.load(std::memory_order_relaxed));
  return thread->tool->state.load(std::memory_order_relaxed);
}

int parallel_info(uint32_t number, int level, Data** data, int* size) {
  omp::Thread* thread = settled_thread();
  if (thread == nullptr || level < 0) return kNone;
  omp::Team* team = thread->team;
  tool::OfRegion* region = team->tool;
  for (; level > 0 && team != nullptr; --level) {
    if (region != nullptr && region->around != nullptr) {
      region = region->around;
      continue;
    }
    team = team->parent != nullptr ? team->parent->team : nullptr;
    region = team != nullptr ? team->tool : nullptr;
  }
  if (team == nullptr) return kNone;
  if (region == nullptr) return kUnavailable;
  answer(data, &region->data[number]);
  answer(size, static_cast<int>(region->teams != 0 ? region->teams : team->nthreads));
  return kAvailable;
}

int task_info(uint32_t number, int level, const TaskQuestion& asked) {
  const Place place = place_at(level);
  if (place.task == nullptr) return kNone;
  tool::OfTask* record = place.record;
  tool::OfRegion* region = place.region;
  if (record == nullptr || region == nullptr) return kUnavailable;
  const bool of_league = record->around != nullptr;
  const bool here = record->stack == place.asked_on;
  answer(asked.flags, of_league ? static_cast<int>(tool::kInitialTask) : flags_of(place.task, *region));
  answer(asked.data, &record->data[number]);
  answer(asked.frame, here ? &record->frame : &no_frame);
  answer(asked.parallel, &region->data[number]);
  answer(asked.thread_num, static_cast<int>(of_league ? record->number : place.thread->num));
  return kAvailable;
}

uint64_t work_chunk() {
  const omp::Thread* thread = settled_thread();
  const omp::Task* task = thread != nullptr ? thread->task() : nullptr;
  return task != nullptr && task->tool != nullptr ? task->tool->work_chunk : 0;
}

int team_spins() {
  const omp::Thread* thread = settled_thread();
  return thread != nullptr && omp::is_known_to_spin(thread->team) ? 1 : 0;
}

uint32_t worker() {
  const omp::Thread* thread = settled_thread();
  return thread != nullptr ? thread->worker->index : UINT32_MAX;
}

uint64_t unique_id() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;  // relaxed: it guards no data
}

}  // namespace tulle::ompt
