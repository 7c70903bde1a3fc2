// SPDX-License-Identifier: Apache-2.0
// What tools keep at threads, regions and tasks, and what they may ask of them. Made when first needed, kept with
// the record that it belongs to, and made new with each thing that the record stands for. W: who runs the thread or
// task, unless noted; R: itself, also from a signal handler.
#pragma once

#include <atomic>
#include <cstdint>

#include "omp/queue/task_record.h"
#include "omp/thread/team.h"
#include "omp/tool/tools.h"

namespace tulle::omp::tool {

struct OfThread {
  Data data[kTools] = {};
  std::atomic<int> state{kSerialWork};
  std::atomic<uint64_t> wait_id{0};
  bool begun = false;
  void* aside = nullptr;              // what ThreadSanitizer takes callbacks for; kept with the record
  const void* code = nullptr;         // where the program called what is in force; null: nothing is
  const void* frame = nullptr;        // an address in the frame that it called
};

struct OfTask;

// What belongs to one task; the record has others after it.
struct TaskFacts {
  Data data[kTools] = {};
  FrameRecord frame = {};
  bool created = false;    // tools know of it
  bool follows = false;    // it has dependences, and tools do not know that it may begin
  bool dropped = false;    // cancelled before it began
  const void* stack = nullptr;  // on which its frames are
  OfTask* around = nullptr;     // of a team of a league: of the task that encountered the league
  uint32_t number = 0;          // of that team
  const Task* above = nullptr;  // what it was called on top of, and returns to
  WorkKind work = WorkKind::none;  // of an implicit task: the construct that it is in
  uint64_t work_count = 0;
  uint64_t work_chunk = 0;
  const void* work_code = nullptr;
  uint32_t dimensions = 0;  // of an implicit task: of its loop with cross-iteration dependences
  DispatchedChunk chunk = {};  // of a taskloop, that the task is to run; none: it is no taskloop's
};

struct OfTask : TaskStorage, TaskFacts {
  const void* body = nullptr;  // the program's function, where Task::function is an interface's
  void* nest = nullptr;        // of its loop with cross-iteration dependences, in a team of one; made and freed with the loop
  using TaskFacts::data;
  void begin_anew() { static_cast<TaskFacts&>(*this) = {}; }
};

// A region and its team, or a league.
struct OfRegion {
  Data data[kTools] = {};
  const void* code = nullptr;
  int flags = kInvokedByProgram | static_cast<int>(kTeam);
  bool of_target = false;  // the implicit region around the initial task of a target region
  // What its members call, in place of which the team publishes a function that tells tools.
  RegionFunction function = nullptr;
  void* argument = nullptr;
  const RegionWords* words = nullptr;
  uint32_t teams = 0;          // of a league
  OfRegion* around = nullptr;  // of a league: of the team of the task that encountered it
};

// Tools know of the team's region: they do of all that begin since the first has registered.
inline bool is_told(const Team* team) { return active() && team->tool != nullptr; }

// The first time. Never null: the process ends without memory.
TULLE_COLD OfThread& make_record(Thread* thread);
TULLE_COLD OfTask& make_record(Task* task);
TULLE_COLD OfRegion& make_record(Team* team);

template <class Owner>
inline auto& of(Owner* owner) {
  return TULLE_LIKELY(owner->tool != nullptr) ? *owner->tool : make_record(owner);
}

}  // namespace tulle::omp::tool
