// SPDX-License-Identifier: Apache-2.0
// The sum of the settings for tasks: how tasks are created (a control variable of each task), and
// queues, distribution and cut-off, which the environment fixes (P-SOCRATES ch. 6, GLTO). Written
// once, by whoever makes the first queue of tasks; read by makers of tasks, who have a queue.
#pragma once

#include <cstdint>

#include "base/cacheline.h"
#include "omp/icv/icv.h"
#include "omp/queue/task_record.h"

namespace tulle::omp {

// The first questions of a maker of tasks.
struct TaskPolicy {
  static constexpr uint32_t kDepths = 4;
  static constexpr uint32_t kNever = UINT32_MAX;

  // Tasks in its maker's queue from which on a new one is called, by the maker's depth. 0: always,
  // where its maker could not be taken anyway.
  uint32_t queued[kDepths + 1] = {};
  // A task that is too short to be kept is called by a maker that is no explicit task, however many wait.
  bool by_length = false;
  // A task that is not called has further to be looked at: submit_by_policy(). True until the policies
  // are set, so that who has no queue yet makes one.
  bool special = true;
};

struct TaskPolicies {
  TaskPolicy by_creation[3];
  uint32_t bits = kTaskExplicit | kTaskCancellable;  // TaskBits of every explicit task
  uint32_t limit = 0;             // unfinished tasks of a team from which on the cut-off holds
  uint32_t standard_limit = 0;    // the same where nothing but the standard policies applies
  TaskQueues queues = TaskQueues::partitioned;
  TaskDistribution distribution = TaskDistribution::own;
  TaskCutoff cutoff = TaskCutoff::adaptive;

  const TaskPolicy& of(const Task* maker) const {
    return by_creation[static_cast<uint32_t>(maker->icv->task_creation)];
  }
};

extern TULLE_NEAR TaskPolicies task_policies;

void set_task_policies();

// Somebody records a graph of tasks (omp/replay) or goes through one that comes from a file (task/repeat.h), and sees each
// task, or does so no more.
void look_at_tasks(bool begins);

// Tools are told of explicit tasks, or are not any more.
void observe_tasks(bool observed);

// Tasks wait for each other's messages from now on (outside.h), in this process and in others: those that
// implicit tasks and their children make are queued unless the program says otherwise, so that none that waits
// keeps its maker from making the next.
void expect_waits_outside();
bool expects_waits_outside();  // a hint

}  // namespace tulle::omp
