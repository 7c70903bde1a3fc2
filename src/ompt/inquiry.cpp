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

// A task, and the thread in whose name it runs or which waits for it.
struct Place {
  omp::Thread* thread = nullptr;
  omp::Task* task = nullptr;
  const memory::Stack* asked_on = nullptr;

  // From an explicit task to its parent, from an implicit one to who encountered the region.
  void go_out() {
    if (task->parent != nullptr && (task->bits & omp::kTaskExplicit) != 0) {
      task = task->parent;
      return;
    }
    thread = thread->team->parent;
    task = thread != nullptr ? thread->task() : nullptr;
  }
};

Place place_at(int level) {
  omp::Thread* thread = settled_thread();
  if (thread == nullptr || level < 0) return {};
  Place place{thread, thread->task(), thread->worker->stack};
  for (; level > 0 && place.task != nullptr; --level) place.go_out();
  return place;
}

int flags_of(const omp::Task* task) {
  if ((task->bits & omp::kTaskExplicit) == 0)
    return static_cast<int>(task->team->parent == nullptr ? tool::kInitialTask : tool::kImplicitTask);
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
  for (; level > 0 && team != nullptr; --level) team = team->parent != nullptr ? team->parent->team : nullptr;
  if (team == nullptr) return kNone;
  if (team->tool == nullptr) return kUnavailable;
  answer(data, &team->tool->data[number]);
  answer(size, static_cast<int>(team->nthreads));
  return kAvailable;
}

int task_info(uint32_t number, int level, const TaskQuestion& asked) {
  const Place place = place_at(level);
  if (place.task == nullptr) return kNone;
  tool::OfTask* record = place.task->tool;
  tool::OfRegion* region = place.thread->team->tool;
  if (record == nullptr || region == nullptr) return kUnavailable;
  const bool here = record->stack == place.asked_on;
  answer(asked.flags, flags_of(place.task));
  answer(asked.data, &record->data[number]);
  answer(asked.frame, here ? &record->frame : &no_frame);
  answer(asked.parallel, &region->data[number]);
  answer(asked.thread_num, static_cast<int>(place.thread->num));
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
