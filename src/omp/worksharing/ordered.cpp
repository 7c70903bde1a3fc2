// SPDX-License-Identifier: Apache-2.0
#include "omp/worksharing/ordered.h"

#include "base/hash.h"
#include "omp/worksharing/cancel.h"
#include "omp/worksharing/work_share_table.h"
#include "os/fence.h"
#include "sched/parking.h"

namespace tulle::omp {

namespace {

// Where those sleep whose chunk begins with this trip: spread, so that few wake in vain.
std::atomic<uint32_t>& word_of(ShareSlot* slot, uint64_t trip) {
  static_assert(ShareSlot::kTurnWords == 64);
  return slot->turn_words[golden_hash(trip) >> 58];
}

// Counts itself, passes a full fence, then looks at the turn; who hands on stores the turn, passes a fence,
// then looks at the count. Members with workers of their own seldom sleep: there the fence of who
// hands on is a light one, and the sleeper's heavy. In a cancelled region those whose turn comes
// before may never come.
TULLE_MAY_SUSPEND TULLE_NOINLINE void sleep_until_turn(const Team* team, ShareSlot* slot,
                                                       uint64_t trip) {
  std::atomic<uint32_t>& word = word_of(slot, trip);
  slot->turn_sleepers.fetch_add(1, std::memory_order_seq_cst);
  if (is_flat(team))
    os::heavy_fence();
  else
    arch::fence_after_atomic();
  for (;;) {
    uint32_t seen = word.load(std::memory_order_acquire);  // pairs with change_any
    if (slot->turn.load(std::memory_order_acquire) == trip || parallel_cancelled(team)) break;
    sched::wait_while(word, seen);
  }
  slot->turn_sleepers.fetch_sub(1, std::memory_order_relaxed);
}

TULLE_MAY_SUSPEND void wait_for_turn(const Team* team, ShareSlot* slot, uint64_t trip) {
  // Acquire: what the regions before wrote is seen; pairs with the store in hand_on_turn.
  if (!sched::poll([=] { return slot->turn.load(std::memory_order_acquire) == trip; }))
    sleep_until_turn(team, slot, trip);
}

void take_turn(Thread* thread, WorkShare* share) {
  if (share->has_turn) return;
  wait_for_turn(thread->team, share->slot.slot, share->chunk_begin);
  ult::happens_after(&share->slot.slot->turn);
  share->has_turn = true;
}

}  // namespace

void hand_on_turn(Thread* thread, WorkShare* share) {
  take_turn(thread, share);
  share->in_chunk = false;
  ShareSlot* slot = share->slot.slot;
  ult::happens_before(&slot->turn);
  slot->turn.store(share->chunk_end, std::memory_order_release);
  if (share->chunk_end == share->space.trips) return;
  if (is_flat(thread->team))
    os::hot_fence();
  else
    arch::full_fence();
  if (TULLE_UNLIKELY(slot->turn_sleepers.load(std::memory_order_relaxed) != 0))
    change_any(word_of(slot, share->chunk_end));
}

void ordered_begin(Thread* thread) {
  WorkShare* share = thread->work_share;
  if (share == nullptr || !share->ordered || !share->in_chunk) return;
  take_turn(thread, share);
}

void ordered_end(Thread* thread) {
  WorkShare* share = thread->work_share;
  if (share == nullptr || !share->ordered || !share->in_chunk) return;
  if (--share->ordered_left == 0) hand_on_turn(thread, share);
}

}  // namespace tulle::omp
