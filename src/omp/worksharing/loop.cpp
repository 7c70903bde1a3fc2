// SPDX-License-Identifier: Apache-2.0
#include "omp/worksharing/loop.h"

#include "omp/tool/events.h"

#include <algorithm>

#include "base/contract.h"
#include "omp/thread/asked_size.h"
#include "omp/thread/meeting_tree.h"
#include "omp/worksharing/guided.h"
#include "omp/worksharing/work_share_table.h"

namespace tulle::omp {

namespace {

using sync::StealRange;

uint64_t divide_up(uint64_t a, uint64_t b) { return a == 0 ? 0 : (a - 1) / b + 1; }

// Member `num`'s part of the block numbers.
StealRange::Part own_part(const WorkShare* share, uint32_t num) {
  uint64_t n = share->nthreads;
  return {static_cast<uint32_t>(share->count * num / n),
          static_cast<uint32_t>(share->count * (num + 1) / n)};
}

Deal deal_of(const Schedule& schedule, bool one_by_one) {
  switch (schedule.kind) {
    case ScheduleKind::dynamic:
      if (one_by_one) return Deal::counter;
      return schedule.monotonic ? Deal::batches : Deal::owned;
    case ScheduleKind::guided:
      return Deal::shrink;  // sizes go by what is left of the whole loop (OpenMP 6.0 §13.6.1)
    case ScheduleKind::fixed:
      if (schedule.chunk != 0) return Deal::cyclic;
      break;
    default:
      break;
  }
  return Deal::even;
}

// The earlier members' parts are longer by one trip where it does not come out even.
void take_even_part(WorkShare* share) {
  uint64_t n = share->nthreads, size = share->space.trips / n, longer = share->space.trips % n;
  share->pos = share->num * size + std::min<uint64_t>(share->num, longer);
  share->end = share->pos + size + (share->num < longer ? 1 : 0);
}

// Numbers of a range are few: a very long loop's stand for several chunks each.
void divide_into_blocks(WorkShare* share) {
  uint64_t chunks = divide_up(share->space.trips, share->chunk);
  share->block = share->chunk * std::max<uint64_t>(1, divide_up(chunks, StealRange::kLimit));
  share->count = divide_up(share->space.trips, share->block);
}

void begin_deal(WorkShare* share) {
  switch (share->deal) {
    case Deal::even:
      take_even_part(share);
      break;
    case Deal::cyclic:
    case Deal::counter:
      share->count = divide_up(share->space.trips, share->chunk);
      share->cursor = share->num;
      break;
    case Deal::batches:
    case Deal::owned:
      share->piece = share->chunk;
      divide_into_blocks(share);
      share->taken_at = 0;  // of batches: none yet
      break;
    case Deal::shrink:
      share->numbers = nullptr;
      break;
  }
}

// Shows thieves where this member stands: first the range, so that who sees `at` sees it open.
void show_range(WorkShare* share) {
  if (share->deal != Deal::owned) return show_no_range(share);
  share->range().open_owner(share->construct, own_part(share, share->num));
  share->at.store(share->construct, std::memory_order_release);  // pairs with the load in steal
}

void fill_slot(const Team* team, const WorkShare* share) {
  ShareSlot* slot = share->slot.slot;
  slot->next.store(0, std::memory_order_relaxed);  // published by open_slot
  slot->turn.store(0, std::memory_order_relaxed);
  if (share->deal == Deal::shrink) prepare_shrinking(team, share);
  open_slot(share->slot);
}

bool is_counted_in_slot(const Team* team, const WorkShare* share) {
  return share->deal == Deal::counter || share->deal == Deal::shrink ||
         (share->deal == Deal::batches && team->meets_at == MeetAt::tree);
}

void begin_loop_in_slot(Thread* thread, WorkShare* share, const LoopRequest& request) {
  begin_loop(thread, share, request);
  if (!is_counted_in_slot(thread->team, share) && !share->ordered) return;
  if (enter_slot(thread, share, share->slot)) fill_slot(thread->team, share);
  if (share->deal == Deal::shrink) begin_shrinking(thread->team, share);
}

TULLE_MAY_SUSPEND TULLE_COLD WorkShare* begin_prepared(Thread* thread) {
  const ShareTable* table = thread->team->work_shares.table.load(std::memory_order_acquire);
  TULLE_EXPECT(table != nullptr);
  // The member did not call for the loop: the region's thread did, for all.
  if (tool::active()) tool::of(thread).code = tool::of(thread->team).code;
  loop_begin(thread, table->prepared);
  return thread->work_share;
}

StealRange::Part steal_from(WorkShare* share, uint32_t num) {
  WorkShare* victim = &share->members[num];
  uint32_t behind = share->construct - victim->at.load(std::memory_order_acquire);  // pairs: show_range
  if (behind >= kRanges) return {};  // far behind, or past this construct already
  return victim->ranges[share->construct % kRanges].steal_any(share->construct, behind != 0, own_part(share, num));
}

struct Ring {
  uint32_t first, size;  // members
};

// From `count` members of the ring, `from` on.
StealRange::Part steal_around(WorkShare* share, Ring ring, uint32_t from, uint32_t count) {
  for (uint32_t i = from - ring.first; count != 0; ++i, --count) {
    StealRange::Part part = steal_from(share, ring.first + (i < ring.size ? i : i - ring.size));
    if (!part.empty()) return part;
  }
  return {};
}

// Where members have workers in several clusters, from those of the own one first: lines come from there in a part of the time.
StealRange::Part steal(WorkShare* share) {
  const uint32_t own = share->num;
  const Ring all = {0, share->nthreads};
  const Team* team = self()->team;
  if (TULLE_LIKELY(team->meets_at != MeetAt::tree)) return steal_around(share, all, own + 1, all.size - 1);
  const Ring near = {team->tree->leader_of(own), team->tree->cluster_size(own)};
  StealRange::Part part = steal_around(share, near, own + 1, near.size - 1);
  return part.empty() ? steal_around(share, all, near.first + near.size, all.size - near.size) : part;
}

// Says of which construct the last block is aside.
uint64_t aside_in(uint32_t construct) { return uint64_t{1} << 32 | construct; }

// Nothing else is left: the block that this member put aside, or another one did, which may be waiting for
// it in what it took instead. Nothing more after that.
bool take_last_block(WorkShare* share) {
  uint32_t n = share->nthreads;
  bool taken = false;
  for (uint32_t i = 0; i < n && !taken; ++i) {
    uint32_t num = share->num + i < n ? share->num + i : share->num + i - n;
    std::atomic<uint64_t>& aside = share->members[num].aside;
    uint64_t expected = aside_in(share->construct);
    // Relaxed: nothing but the number is handed over.
    taken = aside.load(std::memory_order_relaxed) == expected &&
            aside.compare_exchange_strong(expected, 0, std::memory_order_relaxed);
  }
  if (!taken) return false;
  share->deal = Deal::even;
  auto count = static_cast<uint32_t>(share->count);
  take_blocks(share, {count - 1, count});
  return true;
}

// Takes the last block out of `part`, if it is in it: whoever runs it must run no other one later, for the
// sake of lastprivate.
void put_last_aside(WorkShare* share, StealRange::Part& part) {
  if (part.high != share->count || part.empty()) return;
  share->aside.store(aside_in(share->construct), std::memory_order_relaxed);
  --part.high;
}

bool refill_from_ranges(WorkShare* share) {
  StealRange::Part part = share->range().take_owner([](StealRange::Part) { return 1u; });
  put_last_aside(share, part);
  while (part.empty()) {
    StealRange::Part rest = steal(share);
    if (rest.empty()) return take_last_block(share);
    put_last_aside(share, rest);
    if (rest.empty()) continue;
    part = {rest.low, rest.low + 1};
    share->range().refill_owner(share->construct, {part.high, rest.high});
  }
  take_blocks(share, part);
  return true;
}

bool take_chunk(WorkShare* share, uint64_t number) {
  if (number >= share->count) return false;
  share->pos = number * share->chunk;
  share->end = number + 1 == share->count ? share->space.trips : share->pos + share->chunk;
  return true;
}

bool refill_cyclic(WorkShare* share) {
  uint64_t number = share->cursor;
  if (!take_chunk(share, number)) return false;
  share->cursor = share->count - number > share->nthreads ? number + share->nthreads : share->count;
  return true;
}

bool refill_by_counter(WorkShare* share) {
  std::atomic<uint64_t>& next = share->slot.slot->next;
  // Relaxed: only numbers are handed out. It ends a little above `count`, which would take ages to
  // come near 2^64.
  if (next.load(std::memory_order_relaxed) >= share->count) return false;
  return take_chunk(share, next.fetch_add(1, std::memory_order_relaxed));
}

// Gets trips from the team.
TULLE_MAY_SUSPEND bool refill(WorkShare* share) {
  switch (share->deal) {
    case Deal::owned:
      return refill_from_ranges(share);
    case Deal::batches:
      return refill_from_batches(share);
    case Deal::cyclic:
      return refill_cyclic(share);
    case Deal::counter:
      return refill_by_counter(share);
    case Deal::shrink:
      return refill_shrinking(share);
    case Deal::even:
      break;
  }
  return false;
}

TULLE_COLD void tell_chunk(Thread* thread, const WorkShare* share) {
  const uint64_t begin = share->space.iterations_until(share->chunk_begin);
  if (tool::of(thread->task()).work == tool::WorkKind::sections)
    tool::dispatch_section(thread);
  else
    tool::dispatch_chunk(thread, tool::DispatchKind::loop_chunk, begin, share->space.iterations_until(share->chunk_end) - begin);
}

void finish_chunk(Thread* thread, WorkShare* share) {
  if (!share->in_chunk) return;
  if (share->ordered) hand_on_turn(thread, share);
  if (share->doacross) finish_window(share);
  share->in_chunk = false;
}

TULLE_MAY_SUSPEND void enter_chunk(Thread* thread, WorkShare* share) {
  share->in_chunk = true;
  share->has_turn = false;
  share->ordered_left = share->chunk_end - share->chunk_begin;
  if (share->doacross) enter_window(share);
  if (share->told) tell_chunk(thread, share);
}

tool::WorkKind work_kind(const LoopRequest& request) {
  if (request.of_sections) return tool::WorkKind::sections;
  switch (request.schedule.kind) {
    case ScheduleKind::fixed: return tool::WorkKind::loop_static;
    case ScheduleKind::dynamic: return tool::WorkKind::loop_dynamic;
    case ScheduleKind::guided: return tool::WorkKind::loop_guided;
    default: return tool::WorkKind::loop_other;
  }
}

}  // namespace

Schedule runtime_schedule(Thread* thread, bool monotonic, Schedule standard) {
  const RunSchedule& run = icv_of(thread).run_sched;
  standard.monotonic = monotonic || run.monotonic;
  if (run.kind == ScheduleKind::unset) return standard;
  // Both get shorter from chunk to chunk, and by how much is the implementation's choice.
  ScheduleKind kind = run.kind == ScheduleKind::trapezoidal ? ScheduleKind::guided : run.kind;
  uint64_t chunk = run.chunk > 0 ? static_cast<uint64_t>(run.chunk) : 0;
  return {kind, standard.monotonic, chunk};
}

void begin_loop(Thread* thread, WorkShare* share, const LoopRequest& request) {
  if (tool::active())
    tool::begin_work(thread, work_kind(request), request.space.iterations_until(request.space.trips),
                     request.schedule.chunk);
  begin_construct(thread, share, share->slot);
  thread->work_share = share;
  share->space = request.space;
  share->nthreads = thread->team->nthreads;
  ask_size(thread->team);
  share->chunk = std::clamp<uint64_t>(request.schedule.chunk, 1,
                                      std::max<uint64_t>(request.space.trips, 1));
  share->ordered = request.ordered && share->nthreads > 1;
  share->doacross = share->in_chunk = share->has_turn = false;
  share->told = tool::active() && tool::wants(tool::Event::dispatch);
  share->linked = share->ordered || share->told;
  share->pos = share->end = 0;
  share->piece = share->nthreads == 1 ? request.longest_alone : UINT64_MAX;
  // The ordered clause asks for rising chunks, in its form with dependences too (OpenMP 5.2 §11.5.1).
  bool one_by_one = request.ordered || request.one_by_one || share->flags.slot != nullptr;
  share->deal = share->nthreads == 1 ? Deal::even : deal_of(request.schedule, one_by_one);
  begin_deal(share);
  if (share->nthreads > 1) show_range(share);
}

void loop_begin(Thread* thread, const LoopRequest& request) {
  begin_loop_in_slot(thread, record_of(thread), request);
}

bool loop_next(Thread* thread, LoopChunk& chunk) {
  WorkShare* share = thread->work_share;
  if (TULLE_UNLIKELY(share == nullptr)) share = begin_prepared(thread);
  if (TULLE_UNLIKELY(share->linked)) finish_chunk(thread, share);
  if (share->pos == share->end && !refill(share)) return false;
  uint64_t begin = share->pos;
  uint64_t end = share->end - begin > share->piece ? begin + share->piece : share->end;
  share->pos = end;
  share->chunk_begin = begin;
  share->chunk_end = end;
  if (TULLE_UNLIKELY(share->linked)) enter_chunk(thread, share);
  const LoopSpace& space = share->space;
  chunk = {space.value(begin), space.end_of(end), space.unit, end == space.trips};
  return true;
}

void loop_end(Thread* thread) {
  WorkShare* share = thread->work_share;
  if (share == nullptr) return;
  if (tool::active()) tool::end_work(thread);
  thread->work_share = nullptr;
  if (share->slot.slot != nullptr) leave_slot(thread->team, share->slot);
  if (share->shared.slot != nullptr) leave_slot(thread->team, share->shared);
}

void loop_prepare(Thread* primary, const LoopRequest& request) {
  record_of(primary);
  primary->team->work_shares.table.load(std::memory_order_relaxed)->prepared = request;
}

}  // namespace tulle::omp
