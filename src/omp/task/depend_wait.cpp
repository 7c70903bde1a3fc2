// SPDX-License-Identifier: Apache-2.0
// Waiting for siblings: by undeferred tasks and taskwait constructs with dependences.
#include "omp/task/depend_wait.h"

#include "omp/queue/depend_node.h"
#include "omp/task/depend.h"
#include "omp/task/graph_run.h"
#include "omp/task/repeat.h"
#include "omp/task/task_bare.h"
#include "omp/task/task_count.h"
#include "omp/task/task_ready.h"
#include "omp/task/task_run.h"
#include "omp/task/task_told.h"
#include "omp/task/task_wait.h"
#include "omp/thread/team.h"
#include "sched/wait.h"

namespace tulle::omp {

namespace {

// Whether a child of the caller's, which has taken it, comes before the newest node, as far as that is soon
// seen: none that follows the child is complete, and nobody but the caller adds edges.
bool leads_to(const Task* task, const DependenceNode* newest) {
  constexpr int kSteps = 8;
  const DependenceNode* node = task->node;
  if (GraphSlot::of(node) != nullptr) return false;
  for (int i = 0; node != nullptr && i < kSteps; ++i) {
    uintptr_t edge = node->successors.load(std::memory_order_relaxed) & ~DependenceNode::kUnnamed;
    if (edge == 0) return false;
    node = successor_of(edge);
    if (node == newest) return true;
  }
  return false;
}

// Calls the newest task of this worker's queue, if the current task waits for it with its newest node.
// False: it did not.
TULLE_MAY_SUSPEND bool run_predecessor(Thread* thread, const DependenceNode* newest) {
  TaskPool& tasks = thread->team->tasks;
  // Tasks with a priority are found by the worker's loop.
  bool apart = TULLE_UNLIKELY(ult::keeps_stacks_apart()) && thread->task()->depth == 0;
  TaskQueue* queue = queue_for(thread);
  if (!has_stack(thread) || apart || tasks.has_urgent(queue)) return false;
  Task* task = queue->deque.pop_owner();
  if (task == nullptr) return false;
  if (task->ult == nullptr && task->parent == thread->task() && leads_to(task, newest)) {
    run_on_top(thread, task);
    return true;
  }
  push_own(queue, task);
  offer(thread->team);
  return false;
}

// Waits until a task with these dependences, `task` or none, could begin. Returns its node, which is not complete.
TULLE_MAY_SUSPEND DependenceNode* wait_for(Thread* thread, const Dependence* list, size_t count, bool entered,
                                           Task* task) {
  sched::Event event;
  const WaitingNode waiting = register_waiter(thread, event, list, count, entered, task);
  if (!waiting.ready) {
    if (thread->task()->depth == 0) end_stretch(thread);
    sched::wait(event, [&] { return event.happened(); },
                [&] { return run_predecessor(self(), waiting.node); });
    ult::happens_after(&waiting.node->waiting);
  }
  return waiting.node;
}

}  // namespace

void begin_undeferred_wait(Thread* thread, Task* task, const Dependence* list, size_t count, const void* code) {
  if (graphs_repeat()) see_waiting(thread, list, count, code);
  // It is complete when its parent goes on, unless it has an event: without siblings, nothing to do.
  if (live_children(thread->task()) == 1 && (task->bits & kTaskDetachable) == 0) {
    ult::happens_after(&thread->task()->balance);
    return;
  }
  task->node = wait_for(thread, list, count, (task->bits & kTaskDetachable) != 0, task);
}

void taskwait(Thread* thread, const Dependence* list, size_t count) {
  if (has_no_children(thread)) return;
  if (graphs_repeat()) see_waiting(thread, list, count, nullptr);
  DependenceNode* node = wait_for(thread, list, count, false, nullptr);
  close_waiter(self(), node);
}

void begin_undeferred(Thread* thread, Task* task, const Dependence* list, size_t count) {
  tell_of(thread, task, list, count);
  if (count != 0) begin_undeferred_wait(thread, task, list, count);
  begin_inline(self(), task);
}

}  // namespace tulle::omp
