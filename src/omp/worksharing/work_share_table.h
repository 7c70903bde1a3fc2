// SPDX-License-Identifier: Apache-2.0
// A team's memory of its work-sharing constructs: the ring of slots, and for each member a record
// of the construct that it works on. Shared by the files that implement work-sharing.
//
// Ranges: in a loop whose chunks may come in any order each member owns a range of blocks, and takes
// from others' when it is empty. The last block is put aside by who gets it and run when nothing else
// is left to that thread: GCC's code assigns lastprivate variables after the thread's last chunk, if
// that was the loop's (seen in GCC 12). A member has one range for each of kRanges successive constructs.
// `at` is the number of the construct that it began last: it is through with all earlier ones, so a
// thief may open its range for construct c while c - at < kRanges.
#pragma once

#include "omp/thread/team.h"
#include "omp/worksharing/loop.h"
#include "sync/steal_range.h"

namespace tulle::omp {

inline constexpr uint32_t kShareSlots = 8;
inline constexpr uint32_t kRanges = 4;

// How chunks are found.
enum class Deal : uint8_t {
  even,     // one part for each member, computed
  cyclic,   // chunks in turn, computed
  owned,    // from ranges: dynamic
  batches,  // from the table's counter, or the slot's, several at once: monotonic dynamic
  counter,  // from the slot's counter, one after the other: dynamic with ordered regions, sections
  shrink,   // from the slot's counter: guided
};

// A slot that a member is in; `slot` null: none. Left behind when a construct is cancelled, it may
// serve another one by now.
struct SlotUse {
  ShareSlot* slot = nullptr;
  uint32_t construct = 0;
};

struct ChunkNumbers;  // guided.cpp

// A member's record.
struct TULLE_CACHE_ALIGNED WorkShare {
  // W: the member, thieves (ranges); R: thieves.
  std::atomic<uint32_t> at{0};
  std::atomic<uint64_t> aside{0};  // whether it has put the last block aside; whoever takes that clears it
  sync::StealRange ranges[kRanges];

  // The rest is the member's own. The loop:
  TULLE_CACHE_ALIGNED LoopSpace space;
  Deal deal = Deal::even;
  bool ordered = false;
  bool doacross = false;
  bool told = false;       // tools want to know of its chunks
  bool linked = false;     // any of these three
  bool has_turn = false;   // ordered: the chunk in hand may enter its regions
  bool in_chunk = false;   // ordered, doacross: a chunk is in hand that has not handed on
  uint32_t nthreads = 1;
  uint32_t construct = 0;
  uint64_t chunk = 1;   // trips of a chunk; of a guided loop's the fewest
  uint64_t block = 1;   // trips that a number of a range stands for, a multiple of chunk
  uint64_t count = 0;   // numbers: blocks (ranges), chunks (others)
  uint64_t cursor = 0;  // cyclic: its next chunk; shrink: the chunk that begins at `end`

  // Batches: blocks that it took last and when (shrink: the chunk), in cycles; how many cycles a block takes, 0: unknown.
  uint32_t batch = 0;
  uint64_t taken_at = 0;
  uint64_t block_cycles = 0;

  ChunkNumbers* numbers = nullptr;  // shrink: its cluster's; null: the slot counts trips

  // Trips that it has and deals to itself in chunks of at most `piece`, and the chunk in hand.
  uint64_t piece = 1;
  uint64_t pos = 0;
  uint64_t end = 0;
  uint64_t chunk_begin = 0;
  uint64_t chunk_end = 0;
  uint64_t ordered_left = 0;  // trips of the chunk in hand that have not left their ordered region

  // Fixed. W: the table's maker.
  WorkShare* members = nullptr;  // records of the team, by number
  uint32_t num = 0;

  SlotUse slot;    // of the loop
  SlotUse shared;  // of share_begin
  SlotUse flags;   // of doacross_begin

  sync::StealRange& range() { return ranges[construct % kRanges]; }
};

struct TULLE_CACHE_ALIGNED ShareTable {
  ShareSlot slots[kShareSlots];
  // Batches: a construct, and how many of its blocks were taken (batches.cpp). W: all.
  TULLE_CACHE_ALIGNED std::atomic<uint64_t> dealt{0};
  std::atomic<uint64_t> longest{0};  // of loops of so many trips, the cycles of a block. W: all
  LoopRequest prepared;  // for a region that begins with a loop; W: encountering thread
  uint32_t room = 0;     // members
  ShareTable* smaller = nullptr;  // made before the team grew; somebody may still look at its room

  WorkShare* members() { return reinterpret_cast<WorkShare*>(this + 1); }
};
static_assert(sizeof(ShareTable) % alignof(WorkShare) == 0);

// The thread's record, the team's table being made if there is none.
WorkShare* record_of(Thread* thread);

// Counts a construct. `use` is left if it was left behind.
void begin_construct(Thread* thread, WorkShare* share, SlotUse& use);

// Shows thieves that this member has come to a construct without ranges.
inline void show_no_range(WorkShare* share) {
  share->range().skip_owner(share->construct);
  share->at.store(share->construct, std::memory_order_release);  // pairs with the load in steal
}

// Enters the slot of the construct just counted: true for the first thread, which must open it.
TULLE_MAY_SUSPEND bool enter_slot(Thread* thread, WorkShare* share, SlotUse& use);
void open_slot(const SlotUse& use);
void leave_slot(const Team* team, SlotUse& use);

// Bumps a word at which others wait, and wakes them: for the word's only writer, and for any.
void change_only_writer(std::atomic<uint32_t>& word);
void change_any(std::atomic<uint32_t>& word);

// Blocks low to high, cut at the loop's end, are the member's to deal to itself.
inline void take_blocks(WorkShare* share, sync::StealRange::Part part) {
  share->pos = part.low * share->block;
  share->end = part.high == share->count ? share->space.trips : part.high * share->block;
}

inline ShareTable* table_of(const WorkShare* share) {
  return reinterpret_cast<ShareTable*>(share->members) - 1;
}

// Batches (batches.cpp): the next block, or false: nothing is left.
TULLE_MAY_SUSPEND bool refill_from_batches(WorkShare* share);

// Begins a loop in the thread's record, without a slot.
void begin_loop(Thread* thread, WorkShare* share, const LoopRequest& request);

// Ordered loops (ordered.cpp): the chunk in hand lets its successor enter.
TULLE_MAY_SUSPEND void hand_on_turn(Thread* thread, WorkShare* share);

// Doacross loops (doacross_loop.cpp): the chunk in hand waits for its place in the window, and
// counts as done.
TULLE_MAY_SUSPEND void enter_window(WorkShare* share);
void finish_window(WorkShare* share);

}  // namespace tulle::omp
