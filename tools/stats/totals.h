// SPDX-License-Identifier: Apache-2.0
// What is summed for each place in the code. Times are ticks. W: one thread, for its own; added up at the end.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sites.h"

namespace tulle::stats {

// What a thread does with its time. `other`: a wait that OpenMP has no word for; `inner`: member 0 of a nested team, in the
// region around it; `ready`: it could begin or go on, and no worker ran it. Tasks keep those before `inner` (thread.h).
enum class Activity : uint8_t { work, barrier, taskwait, lock, mpi, device, other, inner, ready };
inline constexpr uint32_t kActivities = 9;

using Spent = std::array<uint64_t, kActivities>;
inline uint64_t& of(Spent& spent, Activity activity) { return spent[static_cast<uint32_t>(activity)]; }

inline void add(Spent& to, const Spent& from) {
  for (uint32_t i = 0; i < kActivities; ++i) to[i] += from[i];
}

struct RegionTotals {
  uint64_t count = 0;      // regions
  uint64_t time = 0;       // from their begins to their ends
  uint64_t members = 0;    // over all of them
  uint64_t alone = 0;      // with a team of one
  uint64_t spinning = 0;   // known to the runtime as regions whose members spin on each other
  uint32_t largest = 0;    // team
  uint64_t late = 0;       // from the regions' begins to the members'
  uint64_t slowest = 0;    // what the busiest member of each worked, times its members
  Spent spent = {};

  void add(const RegionTotals& other) {
    count += other.count, time += other.time, members += other.members, alone += other.alone;
    spinning += other.spinning, late += other.late, slowest += other.slowest;
    if (other.largest > largest) largest = other.largest;
    stats::add(spent, other.spent);
  }
};

// How long things take: how many for each power of two of ticks.
struct Lengths {
  std::array<uint64_t, 48> counts = {};

  void note(uint64_t length) {
    const auto power = static_cast<size_t>(std::bit_width(length));
    ++counts[power < counts.size() ? power : counts.size() - 1];
  }
};

struct TaskTotals {
  uint64_t made = 0;
  uint64_t dependent = 0;
  uint64_t ended = 0;
  uint64_t stolen = 0;     // begun by another thread than the one that made them
  uint64_t suspended = 0;  // times that one gave its thread away
  uint64_t work = 0;
  uint64_t queued = 0;     // from when each could begin to its begin
  Lengths lengths;

  void add(const TaskTotals& other) {
    made += other.made, dependent += other.dependent, ended += other.ended, stolen += other.stolen;
    suspended += other.suspended, work += other.work, queued += other.queued;
    for (size_t i = 0; i < lengths.counts.size(); ++i) lengths.counts[i] += other.lengths.counts[i];
  }
};

struct LockTotals {
  uint32_t kind = 0;  // ompt_mutex_t
  uint64_t count = 0;
  uint64_t waited = 0;
  uint64_t held = 0;

  void add(const LockTotals& other) {
    if (other.kind != 0) kind = other.kind;
    count += other.count, waited += other.waited, held += other.held;
  }
};

struct LoopTotals {
  uint32_t kind = 0;  // ompt_work_t
  uint64_t chunk = 0;
  double loops = 0, iterations = 0;  // each thread that takes part counts for its share
  uint64_t time = 0;

  void add(const LoopTotals& other) {
    if (other.kind != 0) kind = other.kind, chunk = other.chunk;
    loops += other.loops, iterations += other.iterations, time += other.time;
  }
};

}  // namespace tulle::stats
