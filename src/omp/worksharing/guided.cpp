// SPDX-License-Identifier: Apache-2.0
// Each chunk is a thread's share of what is left, and each thread has its chunks in rising order. Where few ask at the same
// time, the slot's counter is the next trip, and whoever takes some makes it larger.
//
// Many that try this on one line keep each other from it: a try that comes too late costs as much as one that succeeds. But the
// size of a chunk follows from its number, by a few cycles for each one before it. So a team that meets at a tree takes
// numbers, by one addition; and a cluster of its workers takes as many at once as it has members, which deal them out
// among each other. Chunks are the same ones either way. A cluster that takes several keeps them from others that may be free
// earlier, for one chunk of its members' at most; so not where chunks last long, and the counter is no matter.
//
// All orders are relaxed: nothing but numbers is handed over.
#include "omp/worksharing/guided.h"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "arch/cpu.h"
#include "omp/thread/meeting_tree.h"
#include "sync/spinlock.h"

namespace tulle::omp {

// Numbers that a cluster has taken and not dealt out. In the memory of the loop's slot, one for each cluster.
struct TULLE_PAIR_ALIGNED ChunkNumbers {
  sync::Spinlock lock;
  uint64_t next TULLE_GUARDED_BY(lock) = 0;
  uint64_t end TULLE_GUARDED_BY(lock) = 0;

  uint64_t take(std::atomic<uint64_t>& counter, uint64_t at_once) {
    sync::Guard guard(lock);
    if (next == end) {
      next = counter.fetch_add(at_once, std::memory_order_relaxed);
      end = next + at_once;
    }
    return next++;
  }
};

namespace {

// Cycles of a chunk, at which the counter is asked so seldom that a cluster does not take more of them.
constexpr uint64_t kLongChunk = 100000;
constexpr uint64_t kMostTrips = uint64_t{1} << 48;  // and 2^16 threads, for the division in begin_of

uint64_t size_of(const WorkShare* share, uint64_t left) {
  uint64_t part = left / share->nthreads + (left % share->nthreads != 0 ? 1 : 0);
  return std::min(left, std::max(share->chunk, part));
}

// A chunk's place, found from that of an earlier one: of `cursor`, which begins at `end`.
uint64_t begin_of(const WorkShare* share, uint64_t number) {
  const uint64_t trips = share->space.trips, threads = share->nthreads;
  const uint64_t inverse = UINT64_MAX / threads + 1;  // rounded up: right for what is less than 2^64 / threads
  uint64_t at = share->cursor, begin = share->end;
  for (uint64_t left; at < number && (left = trips - begin) > threads * share->chunk; ++at)
    begin += static_cast<uint64_t>((static_cast<unsigned __int128>(left + threads - 1) * inverse) >> 64);
  // From here on all are of one size.
  const uint64_t more = number - at;
  return more > (trips - begin) / share->chunk ? trips : begin + more * share->chunk;
}

bool refill_by_number(WorkShare* share) {
  const uint64_t now = arch::cycles();
  const bool is_long = share->taken_at != 0 && now - share->taken_at > kLongChunk;
  share->taken_at = now;
  const uint32_t mates = self()->team->tree->cluster_size(share->num);
  const uint64_t number = share->numbers->take(share->slot.slot->next, is_long ? 1 : mates);
  share->pos = begin_of(share, number);
  share->end = share->pos + size_of(share, share->space.trips - share->pos);
  share->cursor = number + 1;
  return share->pos != share->end;
}

}  // namespace

void prepare_shrinking(const Team* team, const WorkShare* share) {
  ShareSlot* slot = share->slot.slot;
  if (team->meets_at != MeetAt::tree || slot->solo || share->space.trips >= kMostTrips ||
      share->chunk > share->space.trips / share->nthreads)
    return;
  const uint32_t clusters = team->tree->cluster_count();
  void* memory = aligned_alloc(alignof(ChunkNumbers), clusters * sizeof(ChunkNumbers));
  if (memory == nullptr) return;  // then by trips
  for (uint32_t i = 0; i < clusters; ++i) new (static_cast<ChunkNumbers*>(memory) + i) ChunkNumbers;
  slot->memory = memory;
}

void begin_shrinking(const Team* team, WorkShare* share) {
  auto* numbers = static_cast<ChunkNumbers*>(share->slot.slot->memory);
  share->numbers = numbers == nullptr ? nullptr : numbers + team->tree->cluster_of(share->num);
  share->cursor = 0;
  share->taken_at = 0;
}

bool refill_shrinking(WorkShare* share) {
  if (share->numbers != nullptr) return refill_by_number(share);
  std::atomic<uint64_t>& next = share->slot.slot->next;
  uint64_t trips = share->space.trips, from = next.load(std::memory_order_relaxed), size;
  do {
    if (from >= trips) return false;
    size = size_of(share, trips - from);
  } while (!next.compare_exchange_weak(from, from + size, std::memory_order_relaxed));
  share->pos = from;
  share->end = from + size;
  return true;
}

}  // namespace tulle::omp
