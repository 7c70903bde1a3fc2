// SPDX-License-Identifier: Apache-2.0
#include "omp/thread/work_share.h"

#include <cstdlib>
#include <new>

#include "omp/worksharing/cancel.h"
#include "omp/worksharing/work_share_table.h"
#include "os/report.h"
#include "sched/memory_nodes.h"
#include "sched/parking.h"

namespace tulle::omp {

namespace {

enum Phase : uint64_t { kFree = 0, kFilling = 1, kOpen = 2 };

uint64_t state_of(uint32_t construct, Phase phase) { return uint64_t{construct} << 2 | phase; }

[[noreturn]] TULLE_COLD void no_memory() { os::fatal("no memory for a work-sharing construct"); }

template <class T>
T* allocate(size_t more) {
  void* memory = aligned_alloc(alignof(T), sizeof(T) + more);
  if (memory == nullptr) no_memory();
  return new (memory) T;
}

ShareTable* new_table(Team* team, ShareTable* smaller) {
  uint32_t room = team->nthreads;
  if (smaller != nullptr && room < 2 * smaller->room) room = 2 * smaller->room;
  auto* table = allocate<ShareTable>(room * sizeof(WorkShare));
  table->room = room;
  table->smaller = smaller;
  table->dealt.store(uint64_t{team->first[kConstructs]} << 32, std::memory_order_relaxed);
  for (uint32_t i = 0; i < room; ++i) {
    auto* share = new (&table->members()[i]) WorkShare;
    share->members = table->members();
    share->num = i;
    // No member has met a construct of this region yet, or it would have made the table.
    share->at.store(team->first[kConstructs], std::memory_order_relaxed);
    for (sync::StealRange& range : share->ranges) range.clear(team->first[kConstructs]);
  }
  return table;
}

TULLE_COLD ShareTable* fit_table(Team* team) {
  std::atomic<ShareTable*>& place = team->work_shares.table;
  ShareTable* seen = place.load(std::memory_order_acquire);
  if (seen != nullptr && seen->room >= team->nthreads) return seen;
  ShareTable* made = new_table(team, seen);
  // Pairs with the acquire loads.
  if (place.compare_exchange_strong(seen, made, std::memory_order_acq_rel)) {
    // Each member of a tree has a worker of its own.
    if (team->meets_at == MeetAt::tree) sched::WorkerNodes::here(team->nthreads).place(made->members(), sizeof(WorkShare));
    return made;
  }
  free(made);
  return seen;
}

// A cancelled construct may have been left by some members only; with its region it is over.
bool of_earlier_region(uint32_t construct, const Team* team) {
  return static_cast<int32_t>(construct - team->first[kConstructs]) <= 0;
}

bool is_free(uint64_t state, const Team* team) {
  return state == kFree || of_earlier_region(static_cast<uint32_t>(state >> 2), team);
}

void empty_slot(ShareSlot* slot) {
  free(slot->memory);
  slot->memory = nullptr;
  slot->data = nullptr;
  slot->left.store(0, std::memory_order_relaxed);  // published by the state
}

ShareSlot* new_solo_slot() {
  auto* slot = allocate<ShareSlot>(0);
  slot->solo = true;
  return slot;
}

}  // namespace

WorkShare* record_of(Thread* thread) {
  Team* team = thread->team;
  ShareTable* table = team->work_shares.table.load(std::memory_order_acquire);  // pairs with fit_table
  if (TULLE_UNLIKELY(table == nullptr || table->room < team->nthreads)) table = fit_table(team);
  return &table->members()[thread->num];
}

void begin_construct(Thread* thread, WorkShare* share, SlotUse& use) {
  if (TULLE_UNLIKELY(use.slot != nullptr)) leave_slot(thread->team, use);
  share->construct = ++thread->constructs;
}

void change_only_writer(std::atomic<uint32_t>& word) {
  // Release: pairs with the acquire load of who waits.
  word.store(word.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  sched::wake_all(word);
}

void change_any(std::atomic<uint32_t>& word) {
  word.fetch_add(1, std::memory_order_release);  // pairs with the acquire load of who waits
  sched::wake_all(word);
}

bool enter_slot(Thread* thread, WorkShare* share, SlotUse& use) {
  Team* team = thread->team;
  uint32_t construct = share->construct;
  ShareTable* table = team->work_shares.table.load(std::memory_order_relaxed);  // share is in it
  ShareSlot* slot = &table->slots[construct % kShareSlots];
  use = {slot, construct};
  for (;;) {
    uint32_t seen = slot->changes.load(std::memory_order_acquire);
    uint64_t state = slot->state.load(std::memory_order_acquire);  // pairs with open and free
    if (state == state_of(construct, kOpen)) {
      ult::happens_after(slot);
      return false;
    }
    if (is_free(state, team)) {
      if (!slot->state.compare_exchange_strong(state, state_of(construct, kFilling),
                                               std::memory_order_acquire))
        continue;
      ult::happens_after(slot);
      empty_slot(slot);
      return true;
    }
    if (parallel_cancelled(team) && state != state_of(construct, kFilling)) {
      use.slot = new_solo_slot();
      return true;
    }
    sched::wait_while(slot->changes, seen);
  }
}

void open_slot(const SlotUse& use) {
  if (use.slot->solo) return;
  ult::happens_before(use.slot);
  use.slot->state.store(state_of(use.construct, kOpen), std::memory_order_release);
  change_any(use.slot->changes);
}

void leave_slot(const Team* team, SlotUse& use) {
  ShareSlot* slot = use.slot;
  use.slot = nullptr;
  if (slot->solo) {
    empty_slot(slot);
    free(slot);
    return;
  }
  if (of_earlier_region(use.construct, team)) return;
  // Release, acquire: the last one frees what the others have read.
  ult::happens_before(slot);
  if (slot->left.fetch_add(1, std::memory_order_acq_rel) + 1 < team->nthreads) return;
  ult::happens_after(slot);
  empty_slot(slot);
  slot->state.store(kFree, std::memory_order_release);  // pairs with the load in enter_slot
  change_any(slot->changes);
}

void WorkShareRing::wake_cancelled() {
  ShareTable* seen = table.load(std::memory_order_acquire);  // pairs with fit_table
  if (seen == nullptr) return;
  for (ShareSlot& slot : seen->slots) {
    change_any(slot.changes);
    for (std::atomic<uint32_t>& word : slot.turn_words) change_any(word);
  }
}

bool share_begin(Thread* thread, ShareSlot*& slot) {
  WorkShare* share = record_of(thread);
  begin_construct(thread, share, share->shared);
  show_no_range(share);
  bool first = enter_slot(thread, share, share->shared);
  slot = share->shared.slot;
  thread->work_share = share;
  return first;
}

void share_open(Thread* thread) { open_slot(thread->work_share->shared); }

void share_end(Thread* thread) {
  WorkShare* share = thread->work_share;
  if (share != nullptr && share->shared.slot != nullptr) leave_slot(thread->team, share->shared);
}

}  // namespace tulle::omp
