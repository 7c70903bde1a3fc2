// SPDX-License-Identifier: Apache-2.0
#include "sched/waking.h"

#include <algorithm>

#include "arch/cpu.h"
#include "sched/sleepers.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

bool is_attended(const Seat* seat) {
  return seat->worker->seat.load(std::memory_order_relaxed) == seat;  // a hint, as in publishing
}

// Awake, as whoever was just woken is, with nothing in hand: it looks at the seat that it is pointed to before it sleeps.
bool is_on_its_way(const Worker* w) {
  return w->asleep.load(std::memory_order_relaxed) == 0 && !w->busy.load(std::memory_order_relaxed);
}

// W of the holder: the encountering thread.
const Crew* crew_of(SeatRange seats) {
  const Bubble* bubble = seats.first->bubble;
  const Worker* holder = bubble != nullptr ? bubble->holder.load(std::memory_order_relaxed) : nullptr;
  return holder != nullptr ? sched::crew_of(holder) : nullptr;
}

template <class... Together>
bool wake_if_asleep(Worker* w, Together&... together) {
  return w->asleep.load(std::memory_order_relaxed) != 0 && wake(w, together...);
}

// Those of the seats `first` to `end` - 1, and somebody else for each whose worker does something else, and beyond
// the seats: each by itself, or together, by a Rousing, and others last then, as they may be some of these. How many were
// woken. Those of a word would need a second call if somebody else were woken for who comes anyway.
template <class... Together>
TULLE_INLINE uint32_t wake_group(SeatRange seats, uint32_t first, uint32_t end, Together&... together) {
  constexpr bool kTogether = sizeof...(Together) != 0;
  uint32_t woken = 0, wanting = 0;
  for (uint32_t i = first; i < end; ++i) {
    Seat* seat = i < seats.count ? &seats.first[i] : nullptr;
    if (seat != nullptr && is_attended(seat)) continue;
    if (kTogether && seat != nullptr && is_on_its_way(seat->worker)) continue;
    if (seat != nullptr && wake_if_asleep(seat->worker, together...))
      ++woken;
    else if (kTogether)
      ++wanting;
    else if (wake_any(crew_of(seats)))
      ++woken;
    else
      break;
  }
  for (; wanting != 0 && wake_any(crew_of(seats), together...); --wanting) ++woken;
  return woken;
}

}  // namespace

void WakeRound::begin_where_some_sleep(SeatRange seats, uint32_t members) {
  const uint32_t end = std::min(members, all_worker_count.load(std::memory_order_relaxed));
  if (TULLE_UNLIKELY(end > kOneByOne)) return begin_in_groups(seats, end);
  wake_group(seats, 1, end);
}

TULLE_COLD void WakeRound::begin_in_groups(SeatRange seats, uint32_t end) {
  end_.store(end, std::memory_order_relaxed);
  next_.store(kGroup, std::memory_order_release);  // pairs with wake_next
  Rousing rousing;
  if (wake_group(seats, 1, std::min(kGroup, end), rousing) == 0) wake_next(seats);
}

void WakeRound::wake_next(SeatRange seats) {
  for (Rousing rousing;;) {
    uint32_t first = next_.fetch_add(kGroup, std::memory_order_acq_rel);  // pairs with begin, and with itself
    uint32_t end = end_.load(std::memory_order_relaxed);
    if (first >= end || wake_group(seats, first, std::min(first + kGroup, end), rousing) != 0) return;
  }
}

}  // namespace tulle::sched
