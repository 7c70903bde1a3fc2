// SPDX-License-Identifier: Apache-2.0
#include "sched/host.h"

#include "sched/worker.h"

namespace tulle::sched {

namespace {

tulle_ult_host the_host;
std::atomic<uint32_t> host_state{0};  // 0: none, 1: being written, 2: there
uint32_t forks = 0;                   // W: the child, before it has other OS threads

void* complement(void* word) { return reinterpret_cast<void*>(~reinterpret_cast<intptr_t>(word)); }

// In the child of a fork() the workers of guests that did not call it are in no table any more.
Worker* worker_of_guest() {
  auto* w = static_cast<Worker*>(the_host.get());
  if (TULLE_LIKELY(w == nullptr || w->forks == forks)) return w;
  the_host.set(nullptr);
  return nullptr;
}

}  // namespace

bool set_host(const tulle_ult_host& host) {
  uint32_t none = 0;
  if (!host_state.compare_exchange_strong(none, 1, std::memory_order_relaxed)) return false;
  the_host = host;
  host_state.store(2, std::memory_order_release);  // pairs with has_host
  return true;
}

const std::atomic<uint32_t>& host_word() { return host_state; }

bool has_host() { return host_state.load(std::memory_order_acquire) == 2; }

const tulle_ult_host& host() { return the_host; }

void* running_guest() { return has_host() ? the_host.self() : nullptr; }

Entity* current_beside_guests(void* word) {
  if (TULLE_LIKELY(!has_host())) return nullptr;
  if (the_host.self() == nullptr)
    return static_cast<Entity*>(word == nullptr ? nullptr : complement(word));
  Worker* w = worker_of_guest();
  if (w == nullptr) return nullptr;
  follow_guest(w);
  return w->running.load(std::memory_order_relaxed);  // W: the guest itself
}

void set_current_beside_guests(Worker* w, Entity* entity) {
  if (w->guests == Guests::beside) arch::set_current_pointer(complement(entity));
}

void expect_guests(Worker* w) {
  if (w->guests != Guests::none) return;
  set_looked_at(w->guests, Guests::beside);
  w->enters_plainly = false;
  set_current_beside_guests(w, current_of_os_thread());
}

void follow_guest(Worker* w) { w->native_tls = w->tls = arch::tls_base(); }

void rouse_guest(Worker* w) { the_host.wake(w->waiter); }

uint32_t forks_so_far() { return forks; }

void reset_guests_after_fork() { ++forks; }

}  // namespace tulle::sched
