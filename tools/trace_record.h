// SPDX-License-Identifier: Apache-2.0
// What libtulle-trace wrote of processes, read again: their events in one order, on one axis of time.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "trace/format.h"

namespace tulle::tools {

struct TraceEvent {
  std::int64_t time = 0;  // nanoseconds; of all processes alike
  std::uint32_t thread = 0;
  std::uint16_t worker = 0;
  trace::Kind kind = trace::Kind::none;
  std::uint8_t detail = 0;
  std::uint64_t body = 0;

  std::uint32_t id() const { return static_cast<std::uint32_t>(body); }
  std::uint32_t extra() const { return static_cast<std::uint32_t>(body >> 32) & 0xffff; }
  std::uint32_t site() const { return static_cast<std::uint32_t>(body >> 48); }
  std::uint64_t address() const { return body & ((std::uint64_t{1} << 48) - 1); }
};

struct ProcessTrace {
  std::uint32_t pid = 0;
  int rank = -1;
  std::string command;
  std::int64_t begin = 0, end = 0;  // as events have it
  bool ended = false;               // by itself; else the end is its last event
  bool cut_off = false;             // events are missing for want of room
  double tick = 1;                  // nanoseconds
  std::vector<std::string> sites;   // functions and lines, by number
  std::vector<TraceEvent> events;   // by time; those of a thread in their order
};

// Those of a folder, by rank and begin. The axis begins with the first of them. Throws Failure if one cannot be read.
std::vector<ProcessTrace> read_traces(const std::filesystem::path& folder);

// That a process has written to its file, which it may go on with. 0 if it cannot be read.
std::uint64_t events_so_far(const std::filesystem::path& file);

}  // namespace tulle::tools
