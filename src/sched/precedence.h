// SPDX-License-Identifier: Apache-2.0
// A ULT may wait where its entity should not go on with what lies below it: a tied task, which on a stack
// of calls would end before that. What is below and becomes ready meanwhile is held back until that ULT
// goes on, unless it only yielded; other things may run in the entity's name. What the ULT waits for may
// itself wait for what is held back: the monitor lets it pass when nothing moved for 10 ms, nothing but
// loops without end for 200 ms, or in any case after 2 s in which nobody was woken where the ULT waits.
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
  LiesBelow below;  // null: it takes precedence over nothing
  const std::atomic<uint32_t>* wakes = nullptr;  // counts those who were woken where it waits; null: none
  ult::Ult* ult = nullptr;
  ult::Ult* held = nullptr;      // ready, held back, oldest first
  ult::Ult** held_end = &held;   // where the next one goes
  Precedence* next = nullptr;  // in its entity
  Precedence* next_holding = nullptr;
  uint32_t wakes_seen = 0;
  uint32_t age = 0;  // W: monitor; grows while it holds something back and nobody is woken
};

// Holder of the entity: a ULT with a precedence waits from now on; a ULT, with one or without, is
// about to go on; those of `ready` that lie below one that waits are moved out of there.
void begin_precedence(Entity* entity, ult::Ult* ult);
void end_precedence(Entity* entity, ult::Ult* ult);
void hold_back(Entity* entity);

// Any OS thread; a hint.
bool something_held_back();

// What the workers do, seen by the monitor: nothing; nothing but run in place; else.
enum class Motion : uint8_t { none, in_place, onwards };

// Monitor, each tick: lets pass what was held back for too long.
void tick_precedence(Motion motion);

void reset_precedence_after_fork(Entity* entity);

}  // namespace tulle::sched
