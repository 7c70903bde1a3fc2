// SPDX-License-Identifier: Apache-2.0
// Who sleeps, who is woken, and who stands for whom. Ordering: sched/idle.cpp, sched/publish.h.
//
// Spares (sched/spares.h) count against workers that are away, in a blocking section (sched/blocking.h), and
// leave a core free: while more are away than spares are awake, a spare is wanted. Those that sleep are woken
// for nothing else. Where spares are all that takes anybody's work, for guests, one more is. Relaxed: hints, which the monitor looks at again.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/cacheline.h"
#include "sched/worker.h"

namespace tulle::sched {

struct StandIns {
  TULLE_CACHE_ALIGNED std::atomic<uint32_t> away{0};    // W: who begins and ends a blocking section
  TULLE_CACHE_ALIGNED std::atomic<uint32_t> spares{0};  // awake; W: who wakes, starts or is one
};
extern TULLE_NEAR StandIns stand_ins;

bool wants_spare(uint32_t away);  // with so many away
inline bool spare_wanted() {
  uint32_t away = stand_ins.away.load(std::memory_order_relaxed);
  return TULLE_UNLIKELY(away != 0) && wants_spare(away);
}

// More OS threads than cores may run members.
inline bool spares_are_awake() { return stand_ins.spares.load(std::memory_order_relaxed) != 0; }

// What waits behind a worker that is away is handed on: sched/blocking.h's, for wake(). W: configure().
extern TULLE_NEAR bool (*hand_on_behind)(Worker* away);

// The worker itself. Begin: it can be woken; the caller passes a heavy fence and looks for work once more
// before it waits. End: it is awake; false: somebody woke it.
void begin_sleep(Worker* w);
bool end_sleep(Worker* w);

// In between: returns when somebody has woken it, or for no reason.
void wait_until_roused(const Worker* w);
void wait_until_roused_for(const Worker* w, uint64_t nanoseconds);

// A sleeping worker of the crew that is given work before it is roused; null: none sleeps that should run now.
Worker* claim_sleeper(const Crew* crew = nullptr);
Worker* claim_sleeping_spare(const Crew* crew = nullptr);

// Rouses workers that have been claimed, neighbours by one system call: at the latest when it ends.
class Rousing {
 public:
  Rousing() = default;
  ~Rousing() { end(); }
  Rousing(const Rousing&) = delete;
  Rousing& operator=(const Rousing&) = delete;
  void add(Worker* w);

 private:
  void end();
  uint32_t group_ = 0, bits_ = 0;
};
void rouse(Worker* w);

// So many more cores than before are free though no worker looks for work there.
void count_free_core(int more);

void reset_sleepers_after_fork();

// Wakes worker if it sleeps. True: it did, and nobody else woke it.
bool wake(Worker* worker);
bool wake(Worker* worker, Rousing& rousing);
// Wakes one idle worker if there is one: there is work that anybody of the crew may take. True: it did.
bool wake_any(const Crew* crew = nullptr);
bool wake_any(const Crew* crew, Rousing& rousing);
// The same for what any worker may do, whatever its crew; and for what may lie in any crew.
bool wake_anybody();
void wake_one_of_each_crew();
// Wakes the worker that holds the bubble, or if it does not sleep an idle one.
void wake_for(const Bubble* bubble);
// How many sleep that any work should wake, and workers that are away.
extern TULLE_NEAR std::atomic<uint32_t> sleeper_count;
// Some worker of whichever crew is asleep: a hint for producers of work, who have passed a hot fence.
inline bool somebody_sleeps() { return sleeper_count.load(std::memory_order_relaxed) != 0; }

}  // namespace tulle::sched
