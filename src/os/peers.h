// SPDX-License-Identifier: Apache-2.0
// Processes of one user that share CPUs and want to know of each other: those in one control group and with one
// affinity mask meet in a file that has a record of each. All else is asked of the kernel, so nothing that stands
// in the file is believed but that a process of that number may be there. Where the file cannot be had, or is
// not the user's alone, a process is alone.
#pragma once

#include <cstdint>

#include "base/cpu_set.h"

namespace tulle::os {

inline constexpr uint32_t kMaxPeers = 64;
// In thousandths of a core: who uses less leaves it to others.
inline constexpr uint32_t kSomeUse = 50;

// As it stands in the file.
struct PeerRecord {
  int64_t process;
  uint64_t began;  // in the kernel's ticks since the machine's start
};

// What the others did since the look before.
struct PeersLook {
  uint32_t used[kMaxPeers];  // of each one that lives: CPU time, in thousandths of a core
  uint32_t count = 0;
  uint32_t before = 0;  // how many of those that used some have a lower number than this process
};

// One caller at a time; a child of fork() goes on with it.
class Peers {
 public:
  // Enters this process too. `folder` is null for the usual one; it and the mask count at the first look.
  PeersLook look(const CpuSet& mask, const char* folder = nullptr);

 private:
  // A record that was seen alive, and its CPU time then.
  struct Known {
    PeerRecord record;
    uint64_t cpu_time;
  };

  bool find_file(const CpuSet& mask, const char* folder);
  void enter(int file, int64_t own);
  bool use_of(const PeerRecord& record, Known& known, uint64_t elapsed, uint32_t& used);

  char path_[512] = "";
  uint64_t looked_at_ = 0;
  int64_t entered_ = 0;  // this process, once it stands in the file
  Known known_[kMaxPeers] = {};
};

}  // namespace tulle::os
