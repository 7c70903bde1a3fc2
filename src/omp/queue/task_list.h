// SPDX-License-Identifier: Apache-2.0
// Tasks of a team that stand in no worker's deque: highest priority first, then in order. Owner: the
// team's pool, under its lock. A level holds the tasks of one priority at positions that only grow.
//
// Whether a task may begin above a suspended tied task (its constraint) never changes, so a level
// notes for a constraint how far it was searched in vain, and no pair is looked at twice. A record
// that is reused as another constraint does no harm: its descendants come to later positions.
#pragma once

#include <cstdint>

#include "base/look.h"
#include "omp/queue/task_record.h"

namespace tulle::omp {

// A task may begin in the name of a thread whose innermost suspended tied task is `constraint`
// (OpenMP 5.2 §12.9, task scheduling constraint 2): untied tasks and descendants.
bool may_begin(const Task* task, const Task* constraint);

// A suspended task that goes on waits for nothing. Stale where the record is reused meanwhile:
// whoever takes the task looks again.
inline bool may_run(const Task* task, const Task* constraint) {
  return constraint == nullptr || look(task->ult) != nullptr || may_begin(task, constraint);
}

class TaskList {
 public:
  void push(Task* task);
  // The first that may run; null: none.
  Task* take(const Task* constraint);
  // The same, but it stays.
  bool holds(const Task* constraint);
  // The memory of levels without tasks.
  void give_back();

 private:
  struct Level;

  Level& level_of(int32_t priority);
  void drop_empty_levels();
  void make_room();

  Level** levels_ = nullptr;  // highest priority first
  uint32_t count_ = 0;
  uint32_t room_ = 0;
};

}  // namespace tulle::omp
