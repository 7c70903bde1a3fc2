// SPDX-License-Identifier: Apache-2.0
// Records of work units. A thread keeps those that it freed, and shares what is too many.
#include <new>

#include "glt/thread.h"
#include "os/memory.h"
#include "os/report.h"
#include "sync/spinlock.h"
#include "ult/sanitizer.h"

namespace tulle::glt {

namespace {

constexpr uint32_t kKept = 1024;
constexpr size_t kSlab = 64 * 1024;
constexpr size_t kRecord = (sizeof(Unit) + kCacheLine - 1) & ~(kCacheLine - 1);

TULLE_HELD_AT_FORK sync::Spinlock shared_lock;
Unit* shared TULLE_GUARDED_BY(shared_lock) = nullptr;  // lists of kKept, linked by `previous`

Unit* new_units() {
  auto* slab = static_cast<char*>(os::map_memory(kSlab));
  if (slab == nullptr) os::fatal("no memory for another work unit");
  Unit* units = nullptr;
  for (size_t at = 0; at + kRecord <= kSlab; at += kRecord) {
    auto* unit = new (slab + at) Unit;
    unit->next = units;
    units = unit;
  }
  return units;
}

TULLE_COLD void refill(Thread* t) {
  {
    sync::Guard guard(shared_lock);
    t->free_units = shared;
    if (shared != nullptr) shared = shared->previous;
  }
  if (t->free_units == nullptr) t->free_units = new_units();
  t->free_count = 0;  // counts what came since
}

TULLE_COLD void share(Thread* t) {
  sync::Guard guard(shared_lock);
  t->free_units->previous = shared;
  shared = t->free_units;
  t->free_units = nullptr;
  t->free_count = 0;
}

}  // namespace

Unit* take_unit() {
  Thread* t = current_thread();
  if (TULLE_UNLIKELY(t->free_units == nullptr)) refill(t);
  Unit* unit = t->free_units;
  t->free_units = unit->next;
  if (t->free_count != 0) --t->free_count;
  return unit;
}

void give_unit(Unit* unit) {
  Thread* t = current_thread();
  unit->next = t->free_units;
  t->free_units = unit;
  if (TULLE_UNLIKELY(++t->free_count == kKept)) share(t);
}

}  // namespace tulle::glt
