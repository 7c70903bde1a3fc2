// SPDX-License-Identifier: Apache-2.0
// A worker's place in a team that opens one region after another: the worker polls `claims` between
// regions, and finds in the same line all that it needs to begin. Each pair of lines has one writer, so
// that a region moves two of them: this one's first to the worker, its second to the join.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "arch/float_control.h"
#include "base/cacheline.h"
#include "sync/claim_range.h"

namespace tulle::sched {

struct Bubble;
struct Worker;

inline constexpr uint32_t kSeatWords = 11;
// Number of words, in place of the SSE unit's flags in Seat::call.
inline constexpr uint32_t kWordCount = arch::kFloatFlags;
inline constexpr uint32_t kManyWords = kWordCount - 1;  // words[1] at words[0]
inline constexpr uint32_t kOnlyData = kWordCount;  // a function of one pointer

struct TULLE_PAIR_ALIGNED Seat {
  // W: the team's encountering thread, before it publishes claims; R: who begins members.
  sync::ClaimRange claims;
  void (*function)(void*) = nullptr;
  uint32_t counts[3] = {};  // what the bubble's owner has for those who begin here
  arch::FloatControl call = 0;  // the encountering thread's control words, and kWordCount
  void* words[kSeatWords] = {};  // the first four lie in the line of the claims
  uint16_t open_regions = 0;     // in which nothing is reserved: its worker did not come in time
  bool reserved = false;         // the claims in force were, and not opened since

  // Members claimed here that have ended, ever. W: who ran them; R: the join, which polls it instead
  // of the claims.
  TULLE_PAIR_ALIGNED std::atomic<uint32_t> finished{0};

  // Fixed: whose place this is, in what.
  TULLE_CACHE_ALIGNED Bubble* bubble = nullptr;
  Worker* worker = nullptr;
  // Where leaders of clusters count (omp/region/publish.h). W: the bubble's owner, between two uses.
  Seat* leader = nullptr;      // at whose seat the join finds this one's members; null: at its own
  Seat* counter = nullptr;     // where they are counted first: at the leader's, or of some of its cluster
  uint32_t counted_below = 0;  // of both: how many members are counted there in a region

  // W: the worker. Nobody polls it, so that to take what is reserved moves no line.
  TULLE_PAIR_ALIGNED sync::OwnClaim own;

  // Of a leader or a counter: members counted there that have ended. W: who ran them.
  TULLE_CACHE_ALIGNED std::atomic<uint64_t> ended{0};

  // Hints: whether something is left for the worker.
  uint32_t left() const { return claims.left_for(own); }
};
static_assert(sizeof(Seat) == 3 * kCacheLinePair && offsetof(Seat, words[4]) == kCacheLine);

}  // namespace tulle::sched
