// SPDX-License-Identifier: Apache-2.0
// Where a task that may begin goes: to its maker's queue, to one that its affinity or the distribution names, or to
// the team's list. Run by the thread that makes it or satisfies its last dependence.
#include "omp/task/task_ready.h"

#include <algorithm>

#include "arch/cpu.h"
#include "omp/queue/task_policy.h"
#include "omp/task/depend_told.h"
#include "omp/task/task_count.h"
#include "omp/task/task_told.h"
#include "omp/thread/team.h"
#include "sched/publish.h"
#include "sched/settings.h"

namespace tulle::omp {

namespace {

TaskQueue* choose_queue(Thread* thread, const Task* task) {
  TaskPool& tasks = task->team->tasks;
  TaskQueue* own = queue_for(thread);
  bool in_turn = task_policies.distribution == TaskDistribution::round_robin;
  bool affine = (task->bits & kTaskAffine) != 0;
  if (affine) {
    if (TaskQueue* queue = tasks.near(task->affinity)) return queue;
  } else if (task_policies.distribution == TaskDistribution::adaptive) {
    in_turn = thread->task()->depth == 0 && tasks.sole_maker(thread->next_barrier, thread->num);
  }
  if (!in_turn && !affine) return own;
  auto workers = static_cast<uint32_t>(sched::settings().workers);
  TaskQueue* queue = tasks.next_in_turn(own, std::min(workers, task->team->nthreads));
  if (affine) tasks.note_near(task->affinity, queue);
  return queue;
}

// A task that does not simply stand in its maker's queue.
TULLE_NOINLINE void route_task(Thread* thread, Task* task) {
  TaskPool& tasks = task->team->tasks;
  if (thread == nullptr || thread->team != task->team || task_policies.queues == TaskQueues::global)
    return tasks.push_shared(task, nullptr);
  if (task->priority > 0) return tasks.push_shared(task, queue_for(thread));
  TaskQueue* queue = choose_queue(thread, task);
  if (queue == queue_for(thread)) {
    push_own(queue, task);
    return;
  }
  TaskPool::push_inbox(queue, task);
  sched::publish({queue->owner, false}, sched::Attention::never);
}

}  // namespace

void offer(const Team* team) {
  sched::publish_in(team);
}

void make_task_ready(Thread* thread, Task* task) {
  Team* team = task->team;  // once it is queued, the record may be another task's
  if (TULLE_UNLIKELY((task->bits & kTaskNoted) != 0)) note_ready(task);
  if (thread == nullptr || thread->team != team || (task->bits & kTaskRouted) != 0) {
    route_task(thread, task);
  } else if (TULLE_UNLIKELY(!queue_for(thread)->deque.push_owner(task))) {
    team->tasks.push_shared(task, queue_for(thread));
  }
  offer(team);
}

}  // namespace tulle::omp
