// SPDX-License-Identifier: Apache-2.0
// A ULT may wait where its entity must not go on with what lies below it: a tied task at a lock, which
// is no task scheduling point (OpenMP 5.2, section 12.9). What is below and becomes ready meanwhile is
// held back until that ULT goes on; other things may run in the entity's name. What the ULT waits for may
// itself wait for what is held back: where nobody was given the lock for some 200 ms in which nothing
// moved, or for 2 s, the monitor lets it pass.
//
// Ordering: the holder of the entity (sched/entity.h) writes these records; the list of those that hold
// something back is under a lock, and the monitor becomes holder before it changes what it finds there.
#pragma once

#include <atomic>
#include <cstdint>

#include "ult/ult.h"

namespace tulle::sched {

// Whether a ULT lies below another one of its entity, by the words that the two kept (Entity::kept).
using LiesBelow = bool (*)(const void* kept, const void* other);

// Of a ULT that waits, in its frame.
struct Precedence {
  LiesBelow below;
  const std::atomic<uint32_t>* wakes;  // counts those who were woken where it waits
  ult::Ult* ult = nullptr;
  ult::Ult* held = nullptr;    // ready, held back, oldest first
  Precedence* next = nullptr;  // in its entity
  Precedence* next_holding = nullptr;
  uint32_t wakes_seen = 0;
  uint32_t ticks = 0;  // of the monitor, since it holds something back and nobody was woken
};

// Holder of the entity: a ULT with a precedence waits from now on; a ULT, with one or without, is
// about to go on; those of `ready` that lie below one that waits are moved out of there.
void begin_precedence(Entity* entity, ult::Ult* ult);
void end_precedence(Entity* entity, ult::Ult* ult);
void hold_back(Entity* entity);

// Any OS thread; a hint.
bool something_held_back();

// Monitor, each tick: lets pass what was held back for too long. `moves`: a worker does, or something waits
// for one.
void tick_precedence(bool moves);

void reset_precedence_after_fork(Entity* entity);

}  // namespace tulle::sched
