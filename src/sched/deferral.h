// SPDX-License-Identifier: Apache-2.0
// Entities that defer frames (sched/entity.h), watched by the progress clock: what a frame waits for may
// itself wait for what lies below it. Then that passes: when nothing moved for 10 ms, nothing but loops
// without end for 200 ms, or in any case after 2 s in which nobody was woken where the frame waits.
//
// Ordering: the holder of the entity defers; the list of entities is under a lock, and the monitor becomes
// holder before it lets anything pass.
#pragma once

#include <atomic>
#include <cstdint>

#include "sched/motion.h"

namespace tulle::sched {

struct Entity;
struct Frame;

struct Deferral {
  // Holder of the entity. Begin: one more frame is deferred, by one that waits. Restart: the frame that
  // waited goes on. End: none is deferred any more.
  void begin(Entity* entity, const Frame* waits);
  void restart();
  void end(Entity* entity);

  // Under the lock; `listed` W: the holder, under the lock.
  bool listed = false;
  Entity* next = nullptr;
  const std::atomic<uint32_t>* wakes = nullptr;  // counts those who were woken where the frame waits, or null
  uint32_t wakes_seen = 0;
  std::atomic<uint32_t> age{0};  // W: monitor; the holder, to begin anew
};

// Any OS thread; a hint.
bool something_deferred();

// Monitor, each tick: lets pass what was deferred for too long.
void tick_deferrals(Motion motion);

void reset_deferrals_after_fork(Entity* entity);

}  // namespace tulle::sched
