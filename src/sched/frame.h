// SPDX-License-Identifier: Apache-2.0
// The frames that an entity has begun and not ended: a stack, linked from the innermost one down (an OpenMP
// thread's: its implicit task, and above it the tied tasks that began in its name). Frames on one stack of
// calls wait for each other as calls do. A frame that suspends leaves the entity to others: to frames below
// it, and to new ones above.
//
// W of all fields: the holder of the entity (sched/entity.h), unless noted.
#pragma once

#include <cstdint>

namespace tulle::sched {

struct Ult;

// Takes the suspended frames of a stack when they become ready, in place of their entity.
using OnReady = void (*)(Ult* ult);

enum class FrameState : uint8_t {
  active,    // it runs, stands below calls on its stack, or only lets others go first
  waiting,   // it is suspended, and what lies below it is deferred until it goes on
  deferred,  // it is ready, and lies below one that waits
};

struct Frame {
  Frame* below = nullptr;      // begun before it by the same entity; null: its lowest
  uint32_t depth = 0;          // 0: the lowest of its entity; those above it have more
  FrameState state = FrameState::active;
  bool loose = false;          // it stands in the stack only while it is suspended
  OnReady on_ready = nullptr;  // null: its entity goes on with it
  Ult* ult = nullptr;          // of one that is waiting or deferred; of one that on_ready took
};

}  // namespace tulle::sched
