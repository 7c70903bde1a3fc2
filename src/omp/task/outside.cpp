// SPDX-License-Identifier: Apache-2.0
#include "omp/task/outside.h"

#include "base/look.h"
#include "omp/queue/task_policy.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_count.h"
#include "omp/task/task_wait.h"
#include "omp/thread/team.h"
#include "sched/parking.h"
#include "sched/poller.h"
#include "sched/wait.h"

namespace tulle::omp {

bool others_wait(const Thread* thread) {
  return sched::something_waits(thread->worker) || thread->team->tasks.something_queued() ||
         sched::something_awaited();
}

namespace {

// While it lives the current task constrains nothing; with kAtLock as long as somebody waits outside.
class Aside {
 public:
  explicit Aside(Thread* thread, uint32_t mark = Task::kOutside)
      : task_(thread->task()->depth == 0 && !is_bare(thread->task()) ? nullptr : recorded_task(thread)), mark_(mark) {
    if (task_ != nullptr) add_bare(task_, mark_);
  }
  ~Aside() {
    if (task_ != nullptr) add_bare(task_, -mark_);
  }
  Aside(const Aside&) = delete;
  Aside& operator=(const Aside&) = delete;

 private:
  Task* task_;
  uint32_t mark_;
};

}  // namespace

void wait_outside(Thread* thread, sched::Event& event) {
  if (event.happened()) return;
  Aside aside(thread);
  sched::await_begin();
  sched::suspend_once(sched::Aside{event}, [&event] { return event.happened(); });
  sched::await_end();
}

void wait_for_holder(const std::atomic<uint32_t>& word, uint32_t expected) {
  if (TULLE_LIKELY(!expects_waits_outside())) {
    sched::wait_while(word, expected);
    return;
  }
  Aside aside(self(), Task::kAtLock);
  sched::wait_aside_while(word, expected);
}

bool suspend_for_holder(const std::atomic<uint32_t>& word, uint32_t bits) {
  if (TULLE_LIKELY(!expects_waits_outside())) return sched::suspend_while_set(word, bits);
  Aside aside(self(), Task::kAtLock);
  return sched::suspend_aside_while_set(word, bits);
}

void looked_in_vain(Thread* thread) {
  constexpr uint32_t kSeldom = 16;
  if (++thread->tests_in_vain % kSeldom != 0) return;
  Aside aside(thread);
  taskyield(thread);
}

Task* hold_end(Thread* thread) {
  Task* task = recorded_task(thread);
  if (task->depth == 0) return nullptr;
  if ((task->bits & kTaskDetachable) != 0) {
    task->holds.fetch_add(1, std::memory_order_relaxed);  // the body holds it too
    return task;
  }
  if ((task->bits & kTaskUndeferred) != 0) count_created(thread, queue_for(thread));
  // A body that was given a record (task_bare.h) counts in no group yet; those that it has opened are its own.
  TaskGroup* group = task->function == nullptr ? task->parent->group : nullptr;
  if (group != nullptr) group->unfinished.fetch_add(1, std::memory_order_relaxed);  // its end comes after
  task->holds.store(2, std::memory_order_relaxed);  // handed on by whatever tells of the hold
  set_looked_at(task->bits, task->bits | kTaskDetachable);
  return task;
}

}  // namespace tulle::omp
