// SPDX-License-Identifier: Apache-2.0
// What is kept of an OpenMP thread: its current task, what it does, since when, and its sums. W: the thread, or who
// tells of it in its name; R: the end of the process.
#pragma once

#include <atomic>
#include <cstdint>

#include "omp/tool/interface.h"
#include "ticks.h"
#include "totals.h"

namespace tulle::stats {

using omp::tool::Data;

// A region that goes on. Made by who encounters it, and freed at its end.
struct Region {
  uint32_t site;
  uint64_t begin;
  std::atomic<uint64_t> slowest;  // work of its busiest member so far
  Region* next_free;
};

// A member's part of a region: what the data of its implicit task point to.
struct Part {
  Region* region;    // null: of no region
  uint32_t site;
  uint32_t members;
  uint64_t begin;
  Part* outer;       // of the same thread, below a nested region
  Activity waits;    // in its implicit task
  bool first;        // member 0
  Spent spent;
  uint32_t loop;     // the site of the one that it is in; kSerial: none
  uint32_t loop_kind;
  uint64_t loop_begin, loop_count, loop_chunk;
  Part* next_free;
};

// An explicit task: what its data hold. Work is counted in units of 16 ticks. Before it begins they are the moment since
// which it could; 0: nobody knows.
struct TaskWord {
  uint64_t explicit_task : 1;  // never so in a pointer to a Part
  uint64_t begun : 1;
  uint64_t waits : 3;
  uint64_t site : 9;
  uint64_t maker : 12;
  uint64_t units : 38;
};
static_assert(sizeof(TaskWord) == sizeof(uint64_t));
static_assert(static_cast<uint32_t>(Activity::inner) <= 1u << 3, "a task keeps what it waits for");
inline constexpr uint64_t kTicksPerUnit = 16;
inline constexpr uint64_t kUnits = (uint64_t{1} << 38) - 1;  // all that there is room for
inline constexpr uint32_t kMakers = 1 << 12;

class Thread {
 public:
  uint32_t number = 0;
  Thread* next = nullptr;  // of all that there ever were
  std::atomic<bool> in_use{true};

  Part* part = nullptr;
  Data* task = nullptr;  // the current one's

  // The time until now goes to what the thread has done.
  void charge(uint64_t now) {
    const uint64_t passed = now - since_;
    since_ = now;
    if (part == nullptr) return;
    of(part->spent, activity_) += passed;
    if (activity_ == Activity::work && task != nullptr && is_explicit(task)) add_units(task, passed);
  }
  // It goes on, and could have since `ready`.
  void charge_ready(uint64_t now, uint64_t ready) {
    charge(ready < since_ ? since_ : ready < now ? ready : now);
    if (part != nullptr) of(part->spent, Activity::ready) += now - since_;
    since_ = now;
  }
  void go_over_to(Activity activity) { activity_ = activity; }
  void begin_at(uint64_t now) { since_ = now; }
  Activity activity() const { return activity_; }

  // The current task begins to wait, or goes on.
  void wait(Activity activity, uint64_t now);
  void go_on(uint64_t now) { wait(Activity::work, now); }

  static bool is_explicit(const Data* data) { return (data->value & 1) != 0; }
  static TaskWord word(const Data* data) { return __builtin_bit_cast(TaskWord, data->value); }
  static void set_word(Data* data, TaskWord word) { data->value = __builtin_bit_cast(uint64_t, word); }
  static Activity waits(const Data* data);

  template <class Totals>
  Totals& totals(uint32_t site) {
    if (totals_[site] == nullptr) totals_[site] = new Totals;
    return *static_cast<Totals*>(totals_[site]);
  }
  template <class Totals>
  const Totals* found(uint32_t site) const {
    return static_cast<const Totals*>(totals_[site]);
  }

  // What it is in the middle of, as if that ended at `now`. At the end.
  void end_parts(uint64_t now);

  // The sums begin anew, where another process goes on with the record.
  void forget();

  Region* take_region();
  void give_back(Region* region);
  Part* take_part();
  void give_back(Part* part);

  // The locks that it holds, the last ones first, and since when.
  void note_held(uint64_t id, uint32_t site, uint64_t now);
  void note_released(uint64_t id, uint64_t now);
  uint64_t lock_asked = 0;
  uint32_t spent_ns = 0;  // on telling of it, since it looked at what that costs
  uint64_t steps = 0;   // how often it has

 private:
  static void add_units(Data* data, uint64_t ticks);

  struct Held {
    uint64_t id, since;
    uint32_t site;
  };
  static constexpr uint32_t kHeld = 4;
  Held held_[kHeld] = {};
  uint32_t last_held_ = 0;

  uint64_t since_ = 0;
  Activity activity_ = Activity::work;
  Region* free_regions_ = nullptr;
  Part* free_parts_ = nullptr;
  void* totals_[kSites] = {};
};

// The region's busiest member so far may be this one.
inline void note_slowest(const Part* part) {
  Spent spent = part->spent;
  const uint64_t work = (of(spent, Activity::work) + of(spent, Activity::inner)) * part->members;
  uint64_t known = part->region->slowest.load(std::memory_order_relaxed);  // a number that only grows
  while (known < work && !part->region->slowest.compare_exchange_weak(known, work, std::memory_order_relaxed)) {
  }
}

// A record for a thread that begins; those of threads that have ended serve again, with their sums.
Thread* take_thread();
Thread* all_threads();

}  // namespace tulle::stats
