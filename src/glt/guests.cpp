// SPDX-License-Identifier: Apache-2.0
// OpenMP regions in work units: each unit is a guest of the runtime, if that is Tulle (tulle/host.h). The frames that
// called glt_init() stay the OS thread's.
//
// Ordering: of wait_here's exchange and wake's the second sees the first (acquire and release).
#include <dlfcn.h>
#include <tulle/host.h>

#include "glt/key.h"
#include "glt/thread.h"

namespace tulle::glt {

namespace {

constexpr uint32_t kNone = 0, kWaits = 1, kWoken = 2;

decltype(&tulle_guest_ended) guest_ended = nullptr;

Unit* guest() {
  Thread* t = current_thread();
  Unit* unit = t == nullptr ? nullptr : t->running;
  return unit == nullptr || unit->kind == UnitKind::root ? nullptr : unit;
}

void* self() { return guest(); }
void* get() { return guest()->guest_word; }
void set(void* word) { guest()->guest_word = word; }

void* waiter() {
  Unit* unit = guest();
  unit->guest_wait.store(kNone, std::memory_order_relaxed);  // nobody knows of the wait yet
  return unit;
}

TULLE_MAY_SUSPEND void wait_here(void* waiter) {
  auto* unit = static_cast<Unit*>(waiter);
  if (unit->guest_wait.exchange(kWaits, std::memory_order_acq_rel) == kNone) wait(current_thread());
}

void wake(void* waiter) {
  auto* unit = static_cast<Unit*>(waiter);
  if (unit->guest_wait.exchange(kWoken, std::memory_order_acq_rel) == kWaits) make_ready(unit);
}

int stack(void*, void** lowest, size_t* bytes) {
  memory::Stack* stack = current_thread()->stack;
  *lowest = stack->lowest;
  *bytes = stack->bytes;
  return 1;
}

}  // namespace

void register_guests() {
  constexpr tulle_ult_host kHost = {sizeof kHost, self, get, set, waiter, wait_here, wake, stack};
  auto* add = reinterpret_cast<decltype(&tulle_register_host)>(dlsym(RTLD_DEFAULT, "tulle_register_host"));
  auto* ended = reinterpret_cast<decltype(&tulle_guest_ended)>(dlsym(RTLD_DEFAULT, "tulle_guest_ended"));
  if (guest_ended == nullptr && add != nullptr && ended != nullptr && add(&kHost) == 0) guest_ended = ended;
}

void end_guest(Unit* unit) {
  if (unit->guest_word != nullptr && guest_ended != nullptr) guest_ended(unit->guest_word);
  unit->guest_word = nullptr;
}

}  // namespace tulle::glt
