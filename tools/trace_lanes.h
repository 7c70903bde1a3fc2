// SPDX-License-Identifier: Apache-2.0
// Traces as pictures need them: for each OpenMP thread what it does and why it waits, one thing after the other; and
// explicit tasks, with what they had to follow.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "trace_record.h"

namespace tulle::tools {

// `other`: a wait that OpenMP has no word for; `ready`: it could go on, or begin, and no worker ran it.
enum class Doing : std::uint8_t { serial, work, task, barrier, tasks, lock, mpi, other, ready };
inline constexpr std::uint32_t kDoings = 9;
inline bool is_waiting(Doing doing) { return doing >= Doing::barrier; }
// "work in regions" and so on.
const char* name_of(Doing doing);
// "rank 0, process 12: ./program".
std::string name_of(const ProcessTrace& process);

// What is said of spans: "at the barrier of main (x.c:3)".
struct Label {
  Doing doing = Doing::serial;
  std::string text;
};

inline constexpr std::uint32_t kNone = UINT32_MAX;

struct Span {
  std::int64_t begin = 0, end = 0;
  std::uint32_t label = 0;
  std::uint32_t task = kNone;  // an explicit one; which
  std::uint16_t worker = 0;
};

struct Lane {
  std::uint32_t process = 0;
  std::string name;
  std::vector<Span> spans;  // in order, none on top of another
};

// Times are -1, and lanes kNone, where a thing has not happened or was not seen.
struct TaskLine {
  std::int64_t made = -1, ready = -1, begun = -1, ended = -1;
  std::uint32_t maker = kNone, runner = kNone, finisher = kNone;  // lanes
  std::uint32_t label = 0;
};

struct Edge {
  std::uint32_t before = 0, after = 0;  // tasks
};

struct Picture {
  std::vector<ProcessTrace> processes;  // without their events
  std::vector<Label> labels;
  std::vector<Lane> lanes;
  std::vector<TaskLine> tasks;
  std::vector<Edge> edges;
  std::int64_t begin = 0, end = 0;
  std::uint64_t events = 0;
};

Picture picture_of(std::vector<ProcessTrace> processes);

}  // namespace tulle::tools
