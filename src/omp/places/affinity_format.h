// SPDX-License-Identifier: Apache-2.0
// affinity-format-var, and what its fields expand to (OpenMP 5.2 §21.3.2, Table 21.4). Any thread.
#pragma once

#include <string_view>

#include "base/cpu_set.h"
#include "omp/icv/icv.h"
#include "omp/icv/text_buffer.h"

namespace tulle::omp {

// The fields' values for one thread.
struct AffinityInfo {
  int team_num = 0;
  int num_teams = 1;
  int level = 0;
  int thread_num = 0;
  int num_threads = 1;
  int ancestor_thread_num = -1;
  int native_thread = 0;
  CpuSet cpus;  // where it may run
};

void expand_affinity_format(TextBuffer& out, std::string_view format, const AffinityInfo& info, Peer peer);

// Copies at most kMaxAffinityFormat - 1 bytes of it.
inline constexpr std::size_t kMaxAffinityFormat = 1024;
void set_affinity_format(std::string_view format);
// The one set, or the peer's.
void put_affinity_format(TextBuffer& out, Peer peer);

// The CPUs as ranges: 0-3,8. libomp writes two of them in a row as 0,1.
void put_cpus(TextBuffer& out, const CpuSet& cpus, Peer peer);

}  // namespace tulle::omp
