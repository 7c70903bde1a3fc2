// SPDX-License-Identifier: Apache-2.0
// OS threads of the program that spin outside of regions, for the end of another one's region say, as callers of a BLAS
// do that serves one of them at a time. They take cores from the members that they wait for: where one OS thread a
// member would have most of the machine, as many workers as there are cores have the smaller part of it. While members
// wait behind workers that lack a core, who is seen to spin is sent on leave (os/registers.h), until the region ends.
#pragma once

#include <cstdint>

#include "os/registers.h"

namespace tulle::sched {

struct Worker;

// What the monitor knows of one OS thread. Owner: the monitor.
class OutsideSpin {
 public:
  // It is outside of regions. `period`: since the last call, in nanoseconds.
  void tick(int kernel_id, uint64_t period, bool (*lasts)());

 private:
  void note(uint64_t digest);

  os::Leave leave_;
  uint64_t recent_[os::Leave::kMost] = {};  // where it was found once
  uint32_t next_recent_ = 0;
  uint32_t next_place_ = 0;
  uint64_t cpu_time_ = 0;
};

// The monitor, each tick: whether members wait behind workers.
void tick_outside_spins(bool members_wait);

}  // namespace tulle::sched
