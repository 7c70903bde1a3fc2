// SPDX-License-Identifier: Apache-2.0
// What a worker without work does: look, poll for a bounded time while nobody else wants the core,
// sleep. The sleeper sets `asleep` and its bit, passes the heavy fence, and looks once more; whoever
// makes work stores it, passes a hot fence, and looks at `asleep`: one of the two sees the other. Each
// worker that was woken looks once for one piece of work: who makes a piece and wakes nobody arms the
// monitor, and so does a sleeper that was woken when it had found another piece.
#include "sched/idle.h"

#include <algorithm>

#include "arch/cpu.h"
#include "base/probe.h"
#include "os/clock.h"
#include "os/fence.h"
#include "sched/alarm.h"
#include "sched/announce.h"
#include "sched/blocking.h"
#include "sched/crew.h"
#include "sched/durations.h"
#include "sched/placing.h"
#include "sched/poll.h"
#include "sched/poller.h"
#include "sched/publish.h"
#include "sched/settings.h"
#include "sched/shared_fence.h"
#include "sched/sleepers.h"
#include "sched/victims.h"
#include "sched/worker.h"
#include "sched/workers.h"

namespace tulle::sched {

namespace {

constexpr int kPauses = 32;  // between two looks at what is not the worker's own

// A hint.
bool has_something_for(const Worker* w, const Worker* victim) {
  return (victim->queue.has_stealable() || victim->queue.has_bubbles()) && are_mates(w, victim);
}

// A bubble stays where it is, so one that is another's by now is as well left there.
TULLE_COLD Work steal_for_region(Worker* w) {
  Work work;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  for (uint32_t i = 0; i < count && steals_for_region(w); ++i) {
    Worker* victim = all_workers[i].load(std::memory_order_relaxed);
    if (victim == nullptr || victim == w || !has_something_for(w, victim)) continue;
    work.entity = victim->queue.steal_any();
    if (work.entity == nullptr) work.bubble = victim->queue.open_bubble(w);
    if (!work) continue;
    if (TULLE_LIKELY(steals_for_region(w))) return work;
    if (work.entity != nullptr) {
      victim->queue.push_ready(work.entity);
      arm_monitor();
    }
    work = {};
  }
  return work;
}

Work steal(Worker* w, Reach reach) {
  Work work;
  uint32_t count = all_worker_count.load(std::memory_order_acquire);  // pairs with new_worker
  const uint16_t* near = victims_by_distance(w, count);
  for (uint32_t step = 1; step < count; ++step) {
    uint32_t index = near != nullptr ? near[step - 1] : (w->index + step) % count;
    Worker* victim = all_workers[index].load(std::memory_order_relaxed);
    if (victim == nullptr || !has_something_for(w, victim)) continue;
    work.entity = victim->queue.steal_any();
    if (work.entity == nullptr)
      work.bubble = reach == Reach::everywhere ? victim->queue.open_bubble(w) : victim->queue.open_bubble_if_free(w);
    if (!work) continue;
    ++w->steals;
    TULLE_PROBE_2(steal, victim->index, w->index);
    return work;
  }
  return work;
}

bool has_own_work(const Worker* w) {
  Seat* seat = w->seat.load(std::memory_order_relaxed);  // W: w itself
  return w->queue.has_entities() || (seat != nullptr && seat->left() != 0);
}

// The next region of its seat may be about to begin; the present one has no tasks for it.
bool expects_region(const Worker* w) {
  Seat* seat = w->seat.load(std::memory_order_relaxed);  // W: w itself
  return seat != nullptr && !seat->bubble->may_reopen.load(std::memory_order_relaxed);  // a hint
}

// The next region of its seat, which relies on it, is worth waiting for.
bool is_seated(const Worker* w) {
  return expects_region(w) && w->seat.load(std::memory_order_relaxed)->bubble->seated.load(std::memory_order_relaxed);
}

// Nothing but its next region and entities could come to it.
bool waits_for_region(const Worker* w) { return is_seated(w) && !w->queue.has_bubbles() && !placed_within_reach(w); }

// Sleeps until somebody wakes w, but gets up to ask the pollers, less and less often while nothing comes.
void keep_watch(Worker* w) {
  uint64_t slack = os::exchange_timer_slack(durations::kWatchSlack);  // of the program's own OS thread perhaps
  uint64_t came = os::now();
  while (w->asleep.load(std::memory_order_relaxed) != 0 && something_awaited()) {
    uint64_t share = (os::now() - came) / durations::kWatchShare;
    wait_until_roused_for(w, std::clamp(share, durations::kShortestWatch, durations::kLongestWatch));
    while (ask_pollers()) {
      came = os::now();
      if (w->asleep.load(std::memory_order_relaxed) == 0) break;
    }
  }
  os::exchange_timer_slack(slack);
  end_watch();
  // Whoever takes over must be awake to do so.
  if (something_awaited() && somebody_sleeps()) wake_anybody();
}

void sleep_until_woken(Worker* w) {
  while (w->asleep.load(std::memory_order_relaxed) != 0)
    if (something_awaited() && take_watch())
      keep_watch(w);
    else
      wait_until_roused(w);
}

SharedFence<> fence_of_pool;

// After the caller has said that it sleeps.
void pass_fence(Worker* w) {
  if (w->kind != WorkerKind::pool || !os::asymmetric_fences) return os::heavy_fence();
  const auto pool_sleeps = [w] {
    return sleeper_count.load(std::memory_order_relaxed) >= static_cast<uint32_t>(workers_now(crew_of(w)));  // a hint
  };
  const auto is_woken = [w] { return w->asleep.load(std::memory_order_relaxed) == 0; };
  fence_of_pool.pass(std::min(settings().spin_ns, durations::kGather), pool_sleeps, is_woken);
}

void sleep(Worker* w, Work& work) {
  Seat* left = w->seat.load(std::memory_order_relaxed);
  w->seat.store(nullptr, std::memory_order_relaxed);  // relaxed: the heavy fence orders both
  if (left != nullptr) note_departure(left);
  begin_sleep(w);
  pass_fence(w);
  if (left != nullptr && left->left() != 0)
    work.seat = left;  // published by somebody who still saw us at the seat
  else
    work = look_for_work(w, Reach::everywhere);
  if (!work) sleep_until_woken(w);
  bool woken = !end_sleep(w);
  note_awake();
  if (woken && work) arm_monitor();
}

// For other things than entities.
Work look_beyond_entities(Worker* w, Reach reach) {
  Work work;
  Seat* seat = w->seat.load(std::memory_order_relaxed);  // W: w itself
  if (seat != nullptr && seat->left() != 0) {
    work.seat = seat;
    return work;
  }
  if (placed_waits_for(w)) {
    // What is taken out is run: there is no putting it back for the sake of the seat.
    if (!leave_seat(w))
      work.seat = seat;
    else
      work.part = find_placed(w);
    if (work) return work;
  }
  if ((work.bubble = w->queue.open_bubble(w)) != nullptr) return work;
  if (reach == Reach::near) return work;
  if (w->kind == WorkerKind::foreign) return may_offer(w) ? steal_for_region(w) : work;
  if (Seat* other = pointed_to(w); TULLE_UNLIKELY(other != nullptr)) {
    work.seat = leave_seat(w) ? other : seat;
    return work;
  }
  work = steal(w, reach);
  // The pool ends when nothing is left to do. Pairs with stop_pool's store.
  if (!work) work.end = pool_ends.load(std::memory_order_seq_cst) != 0;
  return work;
}

// Where other OS threads have regions too a foreign worker takes no bubble but its own. Whoever looked at one whose thread
// had come here found the name in use that is given up by now, and may sleep.
void offer_others_bubbles(const Worker* w) {
  os::hot_fence();  // the name before the looks; pairs with the sleepers' heavy fence
  if (somebody_sleeps() && another_offers(w, [](Runqueue& queue) { return queue.has_open_bubble(nullptr); })) wake_any(crew_of(w));
}

}  // namespace

void reset_idle_after_fork() { fence_of_pool.reset(); }

Work look_for_work(Worker* w, Reach reach) {
  Work work;
  if ((work.entity = w->queue.pop_owner()) != nullptr) return work;
  return look_beyond_entities(w, reach);
}

Work wait_for_work(Worker* w, bool ended) {
  Work work;
  if (uint32_t looks = w->entities_last.load(std::memory_order_relaxed); TULLE_UNLIKELY(looks != 0)) {
    Reach reach = w->steals_first ? Reach::far : Reach::near;
    w->entities_last.store(looks - 1, std::memory_order_relaxed);  // relaxed: the monitor may ask anew
    w->steals_first = false;
    if ((work = look_beyond_entities(w, reach))) return work;
  }
  forget_blocking(w);
  // Of a region that has ended nothing is left: to look would take the lock for which its join is about to ask.
  ended = ended && expects_region(w);
  if (TULLE_UNLIKELY(something_awaited())) ask_pollers_after(durations::kBetweenEntities);
  // The region that a foreign worker waits for most often ends at once.
  bool waits_for_own = w->kind == WorkerKind::foreign;
  work = look_for_work(w, ended || waits_for_own ? Reach::near : Reach::far);
  if (work) return work;
  w->busy.store(false, std::memory_order_relaxed);  // relaxed: the monitor may be a tick late
  if (waits_for_own) offer_others_bubbles(w);
  for (;;) {
    uint64_t spin = settings().spin_ns;
    bool endless = spin == kEndless;
    if (endless) spin = durations::kEndlessInFact;
    // To give the core away takes as long as the others' turns, while to be woken does not.
    if (waits_for_own && TULLE_UNLIKELY(crowded.load(std::memory_order_relaxed) != 0)) spin = durations::kYieldEvery / 2;
    uint64_t start = spin == 0 ? 0 : os::now();
    // A spare stands in for one that left the core to it and may want it back by now.
    uint64_t yielded = w->kind == WorkerKind::spare ? start - durations::kYieldEvery : start;
    uint64_t time = start;
    uint32_t undisturbed = 0;
    while (time - start < spin) {
      int pauses = 0;
      for (; pauses < kPauses; ++pauses) {
        if (has_own_work(w)) break;
        // Long messages go on by steps that pollers make, as fast as they are asked.
        if (TULLE_UNLIKELY(something_awaited()) && ask_pollers()) {
          start = os::now();
          break;
        }
        arch::pause();
      }
      // Of many workers one would always look at something else when their region is told.
      if (pauses == kPauses && ended && waits_for_region(w) &&
          ++undisturbed * kPauses < os::pauses_in(std::min(spin, durations::kSeatPatience)))
        continue;
      bool patient = (waits_for_own && time == start) ||
                     (ended && time - start < durations::kSeatPatience && is_seated(w));
      if ((work = look_for_work(w, patient ? Reach::near : Reach::far))) return work;
      time = os::now();
      if (time - yielded < durations::kYieldEvery) continue;
      if (os::yield_core() && !endless) break;
      yielded = time = os::now();
    }
    sleep(w, work);
    if (work) return work;
    ended = false;
    if ((work = look_for_work(w, Reach::everywhere))) return work;
  }
}

}  // namespace tulle::sched
