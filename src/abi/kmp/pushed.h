// SPDX-License-Identifier: Apache-2.0
//
// Clauses that compiled code hands over in calls of their own before the region: num_threads,
// proc_bind, num_teams, thread_limit. They wait in the calling thread's record, packed in a word,
// and hold for the next region only. Owner thread only.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "omp/thread/thread.h"

namespace tulle::kmp {

// num_threads and proc_bind of the next parallel region. A list of several numbers stays where the
// caller has it, which is in a frame that outlives the region.
struct PushedParallel {
  uint64_t threads : 48 = 0;  // 0: no clause; the address of the list if there is one
  uint64_t length : 12 = 0;   // of the list; 0: no list
  uint64_t bind : 4 = 0;      // omp::ProcBind; off: no clause

  const int32_t* list() const { return reinterpret_cast<const int32_t*>(uintptr_t{threads}); }
};

// Bounds of the next teams region; 0: no clause.
struct PushedTeams {
  uint64_t lower : 20 = 0;
  uint64_t upper : 20 = 0;
  uint64_t thread_limit : 24 = 0;
};

template <class Clauses>
Clauses pushed(omp::Thread* thread) {
  return std::bit_cast<Clauses>(thread->interface_data);
}

template <class Clauses>
void push(omp::Thread* thread, const Clauses& clauses) {
  thread->interface_data = std::bit_cast<void*>(clauses);
}

// The clauses that were pushed, and no longer are.
template <class Clauses>
Clauses pop(omp::Thread* thread) {
  const Clauses clauses = pushed<Clauses>(thread);
  thread->interface_data = nullptr;
  return clauses;
}

// The value of a clause in `bits` bits. The largest stands for all beyond it.
inline uint32_t clause_value(int64_t value, unsigned bits) {
  return static_cast<uint32_t>(std::clamp<int64_t>(value, 0, (int64_t{1} << bits) - 1));
}

}  // namespace tulle::kmp
