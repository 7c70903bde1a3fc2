// SPDX-License-Identifier: Apache-2.0
// Monotonic dynamic loops: each thread has its chunks in rising order. A member takes blocks from a counter of the
// team's, as many at once as it works on for some microseconds, and deals them to itself from its range. So the
// counter's line moves seldom. How long a block takes is measured, first of all in the last loops of as many trips.
//
// The counter is one word, {construct, blocks taken}. Whoever comes first to a construct begins it there: it found
// the one before at its end. So who finds a later one in the word knows that its own is at its end too, and no
// state is made for a loop, waited for or given back. But the word has to be exchanged, and many who try that keep each other
// from it; so members who meet at a tree add to a counter of the loop's alone, in a slot.
//
// A block of a batch may be what others wait for, the member itself in an earlier one too. So who finds the counter
// at its end waits until the others' batches are used up, and takes from one that stays as it is for too long though
// its owner has a core: then alone the order is given up. Who has the loop's last block does so before that one: it must run no other later, for
// the sake of lastprivate (work_share_table.h).
//
// All orders are relaxed: nothing but numbers is handed over.
#include <algorithm>

#include "arch/cpu.h"
#include "omp/worksharing/work_share_table.h"
#include "os/clock.h"
#include "os/thread.h"
#include "sched/durations.h"
#include "sched/motion.h"
#include "sched/suspend.h"
#include "sched/wait.h"
#include "sched/worker.h"

namespace tulle::omp {

namespace {

using sync::StealRange;

// Cycles that a batch should take: to take one costs about a hundredth of it, if others do at the same time. And
// what they may take though others then have nothing left.
constexpr uint64_t kBatchCycles = 8000, kSmallCycles = 1600;
constexpr uint64_t kLargestBatch = 1024;
constexpr uint64_t kBetweenLooks = 320;  // nanoseconds: a look takes the line from who works on the batch
constexpr uint32_t kRoundsBetween = 64;  // of looks, between two rests: most batches end within them

// What is known of loops of so many trips, by all members: the most cycles that a block took, halved by each such loop. A
// member that saw short blocks only is not to take several of the long ones in the next.
struct Longest {
  uint32_t trips = 0, cycles = 0;

  static Longest of(const ShareTable* table, const WorkShare* share) {
    const uint64_t word = table->longest.load(std::memory_order_relaxed);
    const auto trips = static_cast<uint32_t>(share->space.trips);
    return {trips, static_cast<uint32_t>(word >> 32) == trips ? static_cast<uint32_t>(word) : 0};
  }
  void store(ShareTable* table) const {
    table->longest.store(uint64_t{trips} << 32 | cycles, std::memory_order_relaxed);
  }
};

// The batch that was taken last is used up. Where blocks differ, as where some have nothing to do, the long ones count
// and are forgotten by and by: a batch that turns out long cannot be given back in the order.
void measure(ShareTable* table, WorkShare* share) {
  Longest longest = Longest::of(table, share);
  if (share->taken_at == 0) {
    share->block_cycles = longest.cycles;
    return;
  }
  uint64_t cycles = (arch::cycles() - share->taken_at) / share->batch + 1;
  share->block_cycles = std::max(cycles, share->block_cycles - share->block_cycles / 8);
  if (cycles <= longest.cycles) return;
  longest.cycles = static_cast<uint32_t>(std::min<uint64_t>(cycles, UINT32_MAX));
  longest.store(table);
}

// Blocks to take next of `left` ones.
uint32_t next_batch(WorkShare* share, uint64_t left) {
  if (share->block_cycles == 0) return 1;
  uint64_t most = std::max(left / share->nthreads, kSmallCycles / share->block_cycles);
  uint64_t grown = std::max<uint64_t>(8 * uint64_t{share->batch}, 8);
  return static_cast<uint32_t>(
      std::clamp<uint64_t>(std::min({kBatchCycles / share->block_cycles, most, grown, left}), 1, kLargestBatch));
}

// The loop begins, for all: a block that was the longest by chance is forgotten by and by.
void forget_longest(ShareTable* table, const WorkShare* share) {
  Longest longest = Longest::of(table, share);
  longest.cycles /= 2;
  longest.store(table);
}

StealRange::Part take_from_slot(ShareTable* table, WorkShare* share) {
  std::atomic<uint64_t>& next = share->slot.slot->next;
  const uint64_t seen = next.load(std::memory_order_relaxed);
  if (seen >= share->count) return {};
  const uint32_t batch = next_batch(share, share->count - seen);
  const uint64_t low = next.fetch_add(batch, std::memory_order_relaxed);
  if (low >= share->count) return {};
  if (low == 0) forget_longest(table, share);
  share->batch = static_cast<uint32_t>(std::min<uint64_t>(batch, share->count - low));
  return {static_cast<uint32_t>(low), static_cast<uint32_t>(low) + share->batch};
}

StealRange::Part take_from_word(ShareTable* table, WorkShare* share) {
  std::atomic<uint64_t>& dealt = table->dealt;
  uint64_t seen = dealt.load(std::memory_order_relaxed);
  for (;;) {
    auto behind = static_cast<int32_t>(share->construct - static_cast<uint32_t>(seen >> 32));
    if (behind < 0) return {};
    uint32_t low = behind > 0 ? 0 : static_cast<uint32_t>(seen);
    if (low >= share->count) return {};
    uint32_t batch = next_batch(share, share->count - low), high = low + batch;
    if (dealt.compare_exchange_weak(seen, uint64_t{share->construct} << 32 | high, std::memory_order_relaxed)) {
      if (behind > 0) forget_longest(table, share);
      share->batch = batch;
      return {low, high};
    }
  }
}

// Blocks from the counter; empty: none is left.
StealRange::Part take_batch(WorkShare* share) {
  ShareTable* table = table_of(share);
  measure(table, share);
  StealRange::Part part = TULLE_UNLIKELY(share->slot.slot != nullptr) ? take_from_slot(table, share) : take_from_word(table, share);
  if (!part.empty()) share->taken_at = arch::cycles();
  return part;
}

// A member that has blocks of this loop's left in its range; null: none has.
WorkShare* somebody_with_blocks(WorkShare* share) {
  uint32_t n = share->nthreads;
  for (uint32_t i = 1; i < n; ++i) {
    uint32_t num = share->num + i < n ? share->num + i : share->num + i - n;
    WorkShare* member = &share->members[num];
    if (member->ranges[share->construct % kRanges].left(share->construct) != 0) return member;
  }
  return nullptr;
}

// The worker that runs the member now or ran it last: a hint, which others write meanwhile. So the thread sanitizer
// is not to see it.
__attribute__((noinline, no_sanitize("thread"))) const sched::Worker* worker_of(const Thread* member) {
  return member->worker;
}

// A member whose batch is awaited, for so long.
struct Holder {
  const WorkShare* member = nullptr;
  const sched::Worker* worker = nullptr;
  uint64_t since = 0, cpu_time = 0;
  uint64_t still_since = 0;  // at no look since then it only lacked a core; 0: not looked at

  void await(const WorkShare* other, uint64_t now) {
    member = other;
    worker = worker_of(self()->team->members[other->num]);
    since = now;
    cpu_time = worker == nullptr ? 0 : os::cpu_time_of(worker->kernel_id.load(std::memory_order_relaxed));
    still_since = 0;
  }
  // It spins in a block of its batch, or sleeps there; not where its worker only has no core. One without a core may sleep for
  // a moment too, as for a lock of the allocator whose holder has none: so not by one look.
  bool stays(uint64_t now) {
    constexpr uint64_t kHalf = sched::durations::kBatchPatience / 2;
    if (now - since < kHalf) return false;
    if (still_since == 0 || (worker != nullptr && sched::lacks_core(worker, cpu_time, kHalf))) still_since = now;
    return now - still_since >= kHalf;
  }
};

// Returns when no batch of another member's is left, or with a block of one that nobody seems to come back to.
TULLE_MAY_SUSPEND TULLE_COLD StealRange::Part await_batches(WorkShare* share) {
  Holder holder;
  for (uint32_t round = 1;; ++round) {
    WorkShare* member = somebody_with_blocks(share);
    if (member == nullptr) return {};
    os::pause_for(kBetweenLooks);
    if (round % kRoundsBetween != 0) continue;
    uint64_t now = os::now();
    if (member != holder.member) {
      holder.await(member, now);
    } else if (holder.stays(now)) {
      StealRange::Part part = member->ranges[share->construct % kRanges].take_any(share->construct);
      if (!part.empty()) return part;
    }
    if (sched::something_waits(self()->worker))
      sched::yield();
    else
      sched::wait_a_moment([=] { return somebody_with_blocks(share) != member; });
  }
}

// The next block of the member's batch, or of the next one; empty: the counter is at its end.
StealRange::Part next_block(WorkShare* share) {
  StealRange::Part part = share->range().take_owner([](StealRange::Part) { return 1u; });
  if (!part.empty()) return part;
  part = take_batch(share);
  if (part.size() > 1) share->range().refill_owner(share->construct, {part.low + 1, part.high});
  return part.empty() ? part : StealRange::Part{part.low, part.low + 1};
}

}  // namespace

bool refill_from_batches(WorkShare* share) {
  if (share->end == share->space.trips) return false;  // it has had the loop's last block
  StealRange::Part part = next_block(share);
  if (TULLE_UNLIKELY(part.empty() || part.high == share->count) && somebody_with_blocks(share) != nullptr) {
    StealRange::Part other = await_batches(share);
    if (!other.empty()) {
      if (!part.empty()) share->range().refill_owner(share->construct, part);
      part = other;
    }
  }
  if (part.empty()) return false;
  take_blocks(share, part);
  return true;
}

}  // namespace tulle::omp
