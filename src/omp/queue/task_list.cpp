// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/task_list.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/hash.h"
#include "base/look.h"
#include "os/report.h"

namespace tulle::omp {

bool may_begin(const Task* task, const Task* constraint) {
  if ((look(task->bits) & kTaskUntied) != 0) return true;
  // The record may be freed and reused while we look: every pointer in it leads to a record, and
  // depths bound the walk; whoever takes the task looks again when it is its own.
  uint32_t steps = look(task->depth);
  const Task* ancestor = task;
  while (ancestor != nullptr && steps-- > 0 && look(ancestor->depth) > look(constraint->depth))
    ancestor = look(ancestor->parent);
  return ancestor == constraint;
}

namespace {

void* allocate(size_t bytes) {
  void* memory = malloc(bytes);
  if (memory == nullptr) os::fatal("no memory for the list of a team's tasks");
  return memory;
}

}  // namespace

struct TaskList::Level {
  static constexpr uint32_t kNotes = 64;
  static constexpr uint64_t kRoomAtFirst = 64;

  // A constraint, and the position before which nothing may run under it.
  struct Note {
    const Task* constraint = nullptr;
    uint64_t passed = 0;
  };

  int32_t priority = 0;
  uint64_t live = 0;
  uint64_t first = 0;  // no task stands before it
  uint64_t end = 0;    // where the next one comes
  uint64_t room = 0;   // positions that `slots` holds; power of two
  Task** slots = nullptr;  // by position; null: taken
  Note notes[kNotes];

  Task*& at(uint64_t position) { return slots[position & (room - 1)]; }

  Note& note_of(const Task* constraint) { return notes[golden_hash(constraint) >> 58]; }

  // Positions of what is left begin anew behind the last one, so that notes stay true.
  void resettle() {
    uint64_t larger = std::max(kRoomAtFirst, 2 * live >= room ? 2 * room : room);
    auto** moved = static_cast<Task**>(allocate(larger * sizeof(Task*)));
    uint64_t to = end;
    for (uint64_t from = first; from < end; ++from)
      if (Task* task = at(from)) moved[to++ & (larger - 1)] = task;
    first = end;
    end = to;
    free(slots);
    slots = moved;
    room = larger;
  }

  void push(Task* task) {
    if (end - first == room) resettle();
    at(end++) = task;
    ++live;
  }

  // The position of the first that may run; `end` if there is none.
  uint64_t find(const Task* constraint) {
    while (first < end && at(first) == nullptr) ++first;
    if (constraint == nullptr || first == end) return first;
    Note& note = note_of(constraint);
    uint64_t position = note.constraint == constraint ? std::max(note.passed, first) : first;
    while (position < end && (at(position) == nullptr || !may_run(at(position), constraint)))
      ++position;
    note = {constraint, position};
    return position;
  }

  Task* take(uint64_t position) {
    Task* task = at(position);
    at(position) = nullptr;
    --live;
    return task;
  }
};

void TaskList::drop_empty_levels() {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    if (levels_[i]->live != 0) {
      levels_[kept++] = levels_[i];
      continue;
    }
    free(levels_[i]->slots);
    free(levels_[i]);
  }
  count_ = kept;
}

// Drops levels that are empty, or makes the table larger.
void TaskList::make_room() {
  drop_empty_levels();
  if (2 * count_ < room_) return;
  uint32_t larger = room_ == 0 ? 8 : 2 * room_;
  auto** moved = static_cast<Level**>(allocate(larger * sizeof(Level*)));
  if (count_ != 0) memcpy(moved, levels_, count_ * sizeof(Level*));
  free(levels_);
  levels_ = moved;
  room_ = larger;
}

TaskList::Level& TaskList::level_of(int32_t priority) {
  auto find = [&] {
    return std::lower_bound(levels_, levels_ + count_, priority,
                            [](const Level* level, int32_t wanted) {
                              return level->priority > wanted;
                            });
  };
  Level** place = find();
  if (place != levels_ + count_ && (*place)->priority == priority) return **place;
  if (count_ == room_) {
    make_room();
    place = find();
  }
  std::copy_backward(place, levels_ + count_, levels_ + count_ + 1);
  ++count_;
  auto* level = new (allocate(sizeof(Level))) Level;
  level->priority = priority;
  *place = level;
  return *level;
}

void TaskList::push(Task* task) { level_of(std::max(task->priority, 0)).push(task); }

Task* TaskList::take(const Task* constraint) {
  for (uint32_t i = 0; i < count_; ++i) {
    Level& level = *levels_[i];
    if (level.live == 0) continue;
    uint64_t position = level.find(constraint);
    if (position != level.end) return level.take(position);
  }
  return nullptr;
}

void TaskList::give_back() { drop_empty_levels(); }

bool TaskList::holds(const Task* constraint) {
  for (uint32_t i = 0; i < count_; ++i) {
    Level& level = *levels_[i];
    if (level.live != 0 && level.find(constraint) != level.end) return true;
  }
  return false;
}

}  // namespace tulle::omp
