// SPDX-License-Identifier: Apache-2.0
// What a team keeps for its work-sharing constructs: the ring of slots, and for each member a record
// of the construct that it works on. Shared by the files that implement work-sharing.
//
// Ranges: in a loop whose chunks may come in any order each member owns a range of blocks, and takes
// from others' when it is empty. A member has one range for each of kRanges successive constructs.
// `at` is the number of the construct that it began last: it is through with all earlier ones, so a
// thief may open its range for construct c while c - at < kRanges.
#pragma once

#include "omp/loop.h"
#include "omp/team.h"
#include "sync/steal_range.h"

namespace tulle::omp {

inline constexpr uint32_t kShareSlots = 8;
inline constexpr uint32_t kRanges = 4;

// How chunks are found.
enum class Deal : uint8_t {
  even,     // one part for each member, computed
  cyclic,   // chunks in turn, computed
  owned,    // from ranges: dynamic
  halves,   // from ranges: guided
  counter,  // from the slot's counter: monotonic dynamic
  shrink,   // from the slot's counter: monotonic guided
};

struct TULLE_CACHE_ALIGNED WorkShare {
  // W: the member, thieves (ranges); R: thieves.
  std::atomic<uint32_t> at{0};
  sync::StealRange ranges[kRanges];

  // The rest is the member's own. The loop:
  TULLE_CACHE_ALIGNED LoopSpace space;
  uint64_t chunk = 1;  // trips; of guided loops the fewest
  uint64_t block = 1;  // trips in a number of a range, a multiple of chunk
  uint32_t construct = 0;
  uint32_t num = 0;
  uint32_t nthreads = 1;
  Deal deal = Deal::even;
  bool ordered = false;
  bool doacross = false;

  // Trips that it took from the team and still deals to itself chunk by chunk, and the chunk that
  // it is in. cyclic: `pos` is the number of its next chunk.
  uint64_t pos = 0;
  uint64_t end = 0;
  uint64_t chunk_begin = 0;
  uint64_t chunk_end = 0;

  // ordered: trips of the chunk whose ordered region is to come, and whether the turn is ours.
  uint64_t ordered_left = 0;
  bool has_turn = false;

  WorkShare* members = nullptr;  // records of the team, by number
  ShareSlot* slot = nullptr;     // of the loop
  ShareSlot* data_slot = nullptr;  // of share_begin
  ShareSlot* flags_slot = nullptr; // of doacross_begin
};

struct ShareTable {
  ShareSlot slots[kShareSlots];
  LoopRequest prepared;  // for a region that begins with a loop; W: encountering thread
  uint32_t room = 0;     // members
  ShareTable* smaller = nullptr;  // made before the team grew; somebody may still look at its room

  WorkShare* members() { return reinterpret_cast<WorkShare*>(this + 1); }
};
static_assert(sizeof(ShareTable) % alignof(WorkShare) == 0);

// The thread's record, the team's table being made if there is none.
WorkShare* record_of(Thread* thread);

// Counts a construct that needs no slot, or that will use one.
inline void count_construct(Thread* thread, WorkShare* share) {
  share->construct = ++thread->constructs;
}

// Enters the slot of construct `construct`: true for the first thread, which must open it.
TULLE_MAY_SUSPEND bool enter_slot(Team* team, uint32_t construct, ShareSlot*& slot);
void open_slot(ShareSlot* slot, uint32_t construct);
void leave_slot(Team* team, ShareSlot* slot);

// Sleeps until word differs from `seen`, or for no reason. The caller looks at its condition again,
// and at the cancellation of the region.
TULLE_MAY_SUSPEND void wait_for_change(const std::atomic<uint32_t>& word, uint32_t seen);
// Bumps the word and wakes those who wait for that. Any thread.
void change(std::atomic<uint32_t>& word);

// ordered.cpp: the chunk in hand begins; it is left, so its successor may enter.
void ordered_chunk_begins(WorkShare* share);
TULLE_MAY_SUSPEND void ordered_chunk_ends(Thread* thread, WorkShare* share);

// doacross.cpp: the same, and the free place in the window that a chunk needs.
TULLE_MAY_SUSPEND void doacross_chunk_begins(Thread* thread, WorkShare* share);
void doacross_chunk_ends(WorkShare* share);
void free_nest(DoacrossNest* nest);

}  // namespace tulle::omp
