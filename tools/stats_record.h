// SPDX-License-Identifier: Apache-2.0
// What libtulle-stats wrote of a process, read again. Times are nanoseconds.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tulle::tools {

// Thread time by what threads did.
struct SpentTime {
  double work = 0, barrier = 0, taskwait = 0, lock = 0, mpi = 0, device = 0, other = 0, inner = 0, ready = 0;
  double all() const { return work + barrier + taskwait + lock + mpi + device + other + inner + ready; }
};

// A place in the program's code, with a number that no other one has; `region`: that of the one around it, 0 for none.
struct CodeRecord {
  int number = 0, region = 0;
  std::string module;
  std::uint64_t offset = 0;
  std::string name;  // function and line, where they can be had
};

struct RegionRecord : CodeRecord {
  double count = 0, time = 0, members = 0, alone = 0, spinning = 0, late = 0, slowest = 0;
  int largest = 0;
  SpentTime spent;
};

struct TaskRecord : CodeRecord {
  double made = 0, dependent = 0, ended = 0, stolen = 0, suspended = 0, work = 0, queued = 0;
  std::vector<std::pair<double, double>> lengths;  // shorter than that, and how many
  double median() const;
  double share_below(double length) const;
};

struct LockRecord : CodeRecord {
  int kind = 0;
  double count = 0, waited = 0, held = 0;
};

struct LoopRecord : CodeRecord {
  int kind = 0;
  double chunk = 0, loops = 0, iterations = 0, time = 0;
};

struct MpiRecord : CodeRecord {
  std::string call;
  double count = 0, time = 0;
};

struct ProcessRecord {
  int pid = 0, rank = -1, usable = 1;
  std::string command;
  double elapsed = 0, whole = 0;  // that was watched; until its end
  double quota = 0, throttled = 0, user = 0, system = 0, spares = 0, blocked = 0, gave_way = 0, was_taken = 0;
  SpentTime serial;
  std::vector<RegionRecord> regions;
  std::vector<TaskRecord> tasks;
  std::vector<LockRecord> locks;
  std::vector<LoopRecord> loops;
  std::vector<MpiRecord> mpi;

  const RegionRecord* region(int number) const;
  // The outermost one around it; itself if it is one; null in none.
  const RegionRecord* outermost(const CodeRecord& code) const;
  // Work in regions at all levels below this one, its own included.
  double work_in(const RegionRecord& outermost) const;
  double task_work_in(const RegionRecord& outermost) const;
  double serial_time() const;
  double mpi_time() const;
  int cores() const;  // that the largest team could use
};

// Those of a folder, by rank and process number, with names. Throws Failure if one cannot be read.
std::vector<ProcessRecord> read_records(const std::filesystem::path& folder);

}  // namespace tulle::tools
