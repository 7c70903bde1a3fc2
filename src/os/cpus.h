// SPDX-License-Identifier: Apache-2.0
// How many processors this process may use, and why. Each call asks the operating system anew and
// keeps nothing; any thread may call. Costs a system call and a few small file reads, no library.
#pragma once

#include <cstddef>

#include "base/cpu_set.h"

namespace tulle::os {

// The CPU bandwidth that the process's control groups leave it: `quota` microseconds of CPU time
// in every `period`. The tightest of all nested groups; period 0 means unlimited.
struct CpuQuota {
  long quota = 0;
  long period = 0;
  int version = 0;         // of the control group hierarchy that sets it: 1 or 2
  char group[256] = "";    // the folder of that group, cut off if longer

  bool limited() const { return period > 0; }
  // Whole processors that can be busy under it: fractions count as one more.
  int cpus() const {
    if (!limited() || quota / period >= kMaxCpus) return kMaxCpus;
    return static_cast<int>((quota + period - 1) / period);
  }
};

struct UsableCpus {
  CpuSet allowed;   // the calling thread's affinity mask
  CpuQuota quota;
  int count = 1;    // the number of workers that can run at once: both limits, at least one
};

UsableCpus usable_cpus();

// Of these the mask alone, which reads no file.
CpuSet allowed_cpus();

// The affinity mask of a thread of this process (0: the caller). False if it cannot be had.
bool affinity_mask(int tid, CpuSet& mask);

// Sets it. False if the system refuses: no processor of the mask may be used.
bool set_affinity_mask(int tid, const CpuSet& mask);

// The processor that carries the calling OS thread, by the system's number; -1 if that cannot be had.
int current_cpu();

// Processors that the machine has switched on; empty if the system does not say. `root` as below.
CpuSet online_cpus(const char* root = "");

// `root` stands before every path that is read ("" for the running system).
CpuQuota cpu_quota(const char* root);

// Reads a list such as "0-3,8,10-11". False if the text is anything else or exceeds kMaxCpus.
bool parse_cpu_list(const char* text, CpuSet& cpus);

// Reads a whole file and ends it with a null byte. Its length, or -1. *text is the caller's to free.
std::ptrdiff_t read_whole_file(const char* path, char** text);

}  // namespace tulle::os
