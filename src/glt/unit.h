// SPDX-License-Identifier: Apache-2.0
// A work unit: a GLT_ult or a GLT_tasklet. It is called on the loop's stack of its thread, and takes that stack along
// where it waits. Whoever holds the handle frees the record, once it has ended.
//
// Ordering: end's exchange of `waiters` (release) pairs with the joiner's look (acquire): who joins sees what the
// unit wrote, and that nobody else looks at the record any more.
#pragma once

#include <atomic>
#include <cstdint>

#include "ult/switch.h"

namespace tulle::glt {

struct Thread;
struct KeyValues;

enum class UnitKind : uint8_t { ult, tasklet, root };  // root: the frames that called glt_init()

}  // namespace tulle::glt

struct tulle_glt_unit {
  // W: who makes it ready; then its thread. In a runqueue, an inbox or a list of waiters.
  tulle_glt_unit* next = nullptr;
  tulle_glt_unit* previous = nullptr;  // in a runqueue; R, W: its thread
  tulle::glt::Thread* queue = nullptr;  // in whose runqueue it is; W: that thread; R: others compare it with themselves
  tulle::ult::StackContext where{};    // W: its thread. `context` null: it has not begun
  tulle::glt::Thread* thread = nullptr;  // where it runs; W: its thread
  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  std::atomic<tulle_glt_unit*> waiters{nullptr};  // who joins it; ended(): it is over
  tulle::glt::KeyValues* values = nullptr;        // W: itself
  void* guest_word = nullptr;                     // the OpenMP runtime's, of a region that it enters
  void** exit_to = nullptr;  // the frame that called it, of its joiner (glt/loop.cpp); null: its thread's loop
  uint64_t id = 0;
  std::atomic<uint32_t> guest_wait{0};            // glt/guests.cpp
  std::atomic<bool> cancelled{false};  // W: anybody; R: its thread
  tulle::glt::UnitKind kind = tulle::glt::UnitKind::ult;

  static tulle_glt_unit* ended() { return reinterpret_cast<tulle_glt_unit*>(uintptr_t{1}); }
  bool has_ended() const { return waiters.load(std::memory_order_acquire) == ended(); }
};

namespace tulle::glt {

using Unit = tulle_glt_unit;

// First in, first out, or out of the middle. Owner: one thread.
class UnitList {
 public:
  bool empty() const { return first_ == nullptr; }

  void push_back(Unit* unit) {
    unit->next = nullptr;
    unit->previous = last_;
    (last_ == nullptr ? first_ : last_->next) = unit;
    last_ = unit;
  }

  void remove(Unit* unit) {
    (unit->previous == nullptr ? first_ : unit->previous->next) = unit->next;
    (unit->next == nullptr ? last_ : unit->next->previous) = unit->previous;
  }

  Unit* pop_front() {
    Unit* unit = first_;
    if (unit == nullptr) return nullptr;
    first_ = unit->next;
    (first_ == nullptr ? last_ : first_->previous) = nullptr;
    return unit;
  }

 private:
  Unit* first_ = nullptr;
  Unit* last_ = nullptr;
};

// Records, last in, first out. By a thread of GLT.
Unit* take_unit();
void give_unit(Unit* unit);

}  // namespace tulle::glt
