// SPDX-License-Identifier: Apache-2.0
// Work-sharing constructs in flight. Threads of a team may be several constructs apart (nowait), so
// a team has a ring of slots, found by the number of the construct (Thread::constructs). Only what
// needs state of the team's takes a slot: monotonic and ordered loops, doacross, shared data. Loops
// whose chunks may come in any order meet at their members' ranges instead (work_share_table.h).
// The first thread to arrive at a slot fills it, the last to leave frees it; who finds an older
// construct in it waits. A team's memory for all this is made on first use.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"

namespace tulle::omp {

struct Thread;
struct ShareTable;

// `data` and `memory` are for whoever fills the slot: descriptors of task reductions, the shared
// array of an inscan reduction, what clusters have of a guided loop. `memory` comes from malloc and is freed with the slot.
struct TULLE_CACHE_ALIGNED ShareSlot {
  // W: the first thread, before it opens the slot.
  void* data = nullptr;
  void* memory = nullptr;

  // Ordered loops: the trip with which the chunk begins whose ordered regions may be entered. W: the
  // thread that has that chunk; R: all. Who sleeps counts itself, then sleeps at one of the words.
  static constexpr uint32_t kTurnWords = 64;
  TULLE_CACHE_ALIGNED std::atomic<uint64_t> turn{0};
  std::atomic<uint32_t> turn_sleepers{0};
  std::atomic<uint32_t> turn_words[kTurnWords] = {};

  // Monotonic loops: the next chunk (dynamic with ordered regions; in large teams guided), block (dynamic of large teams) or
  // trip (guided). W: all.
  TULLE_CACHE_ALIGNED std::atomic<uint64_t> next{0};

  // Whose slot it is: 0 free, else a construct's number and whether it is open. W: first and last
  // thread. `changes` is bumped after each change of it: who waits for one sleeps there. A slot that
  // an earlier region left behind (a cancelled one) is as good as free.
  TULLE_CACHE_ALIGNED std::atomic<uint64_t> state{0};
  std::atomic<uint32_t> left{0};
  std::atomic<uint32_t> changes{0};
  bool solo = false;  // made for one thread in a cancelled region, where others may never come
};

class WorkShareRing {
 public:
  // The region was marked as cancelled: those who wait for members that may not come look again.
  void wake_cancelled();

  std::atomic<ShareTable*> table{nullptr};  // work_share_table.h
};

// Begins a construct whose threads share data: true for the first thread, which fills slot->data and
// slot->memory and then calls share_open; the others return after that.
TULLE_MAY_SUSPEND bool share_begin(Thread* thread, ShareSlot*& slot);
void share_open(Thread* thread);
// Ends it, as soon as this thread has taken what it needs if the caller sees to the lifetime of the
// data; loop_end does so too. No effect if it is ended.
void share_end(Thread* thread);

}  // namespace tulle::omp
