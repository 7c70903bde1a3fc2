// SPDX-License-Identifier: Apache-2.0
// Work-sharing constructs in flight. Threads of a team may be several constructs apart (nowait), so
// a team has a ring of slots, found by the number of the construct (Thread::constructs). Only what
// needs state of the team's takes a slot: monotonic and ordered loops, doacross, shared data. Loops
// whose chunks may come in any order meet at their members' ranges instead (loop.h), and single at a
// counter of the team's (single.h). The first thread to arrive at a slot fills it, the last to leave
// frees it; who finds an older construct in it waits. A team's memory for this is made on first use.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cacheline.h"

namespace tulle::omp {

struct Thread;
struct Team;
struct ShareTable;
struct LoopRequest;

// A slot. `data` and `memory` are for whoever filled it: descriptors of task reductions, the shared
// array of an inscan reduction. `memory` came from malloc and is freed with the slot.
struct TULLE_CACHE_ALIGNED WorkShare {
  void* data = nullptr;
  void* memory = nullptr;

  // What an ordered loop needs: the trip at which the next chunk begins that may enter its ordered
  // regions. W: the thread that may; R: the others. They sleep at one of the words.
  static constexpr uint32_t kTurnWords = 8;
  TULLE_CACHE_ALIGNED std::atomic<uint64_t> turn{0};
  std::atomic<uint32_t> turn_words[kTurnWords] = {};

  // What a monotonic loop needs: the next chunk (dynamic) or trip (guided). W: all.
  TULLE_CACHE_ALIGNED std::atomic<uint64_t> next{0};

  // Whose slot it is: 0 free, else a construct's number and whether it is filled. W: the first and
  // the last thread. `changes` is bumped after each change of `state`: those who wait sleep at it.
  TULLE_CACHE_ALIGNED std::atomic<uint64_t> state{0};
  std::atomic<uint32_t> left{0};
  std::atomic<uint32_t> changes{0};
};

class WorkShareRing {
 public:
  // After a cancelled region, when no member runs: all slots are free.
  void reset(uint32_t construct);

  // Implementation (work_share.cpp, loop.cpp): the team's table, made on first use.
  std::atomic<ShareTable*> table{nullptr};
  // The number of the single construct whose copyprivate value stands in Team::broadcast.
  std::atomic<uint32_t> broadcasts{0};
  // The work-sharing construct that is cancelled: cancel.cpp.
  std::atomic<uint64_t> cancelled{0};
};

// Begins a construct whose threads share data: true for the first thread, which sets (*share)->data
// and ->memory and then calls share_publish; the others return when it did. Ended by share_end, or by
// loop_end when a loop was begun after it. A team of one gets a slot too. False and a null *share:
// the region is cancelled and others will not come; treat as alone.
TULLE_MAY_SUSPEND bool share_begin(Thread* thread, WorkShare** share);
void share_publish(Thread* thread, WorkShare* share);
// The construct that share_begin began, if it was not ended yet.
void share_end(Thread* thread);

}  // namespace tulle::omp
