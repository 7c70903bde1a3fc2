// SPDX-License-Identifier: Apache-2.0
#include "sched/poller.h"

#include "arch/cpu.h"
#include "base/cacheline.h"
#include "os/clock.h"
#include "sched/publish.h"
#include "sync/spinlock.h"

namespace tulle::sched {

std::atomic<uint32_t> awaited{0};

namespace {

constexpr uint32_t kMostPollers = 8;

struct Poller {
  Poll poll;
  void* argument;
};

TULLE_HELD_AT_FORK sync::Spinlock registering;
Poller pollers[kMostPollers];
std::atomic<uint32_t> poller_count{0};  // release: the entry is whole; pairs with ask_pollers

TULLE_CACHE_ALIGNED std::atomic<bool> asking{false};  // W: exchange (acquire), given back by a release
std::atomic<uint64_t> asked_at{0};                    // relaxed: a hint
std::atomic<bool> watched{false};

}  // namespace

bool register_poller(Poll poll, void* argument) {
  sync::Guard guard(registering);
  uint32_t count = poller_count.load(std::memory_order_relaxed);  // W: under the lock
  if (count == kMostPollers) return false;
  pollers[count] = {poll, argument};
  poller_count.store(count + 1, std::memory_order_release);
  return true;
}

void await_begin() {
  if (awaited.fetch_add(1, std::memory_order_seq_cst) != 0) return;
  publish({nullptr, !is_watched()}, Attention::always);
}

// Relaxed: who asks in vain once more does no harm.
void await_end() { awaited.fetch_sub(1, std::memory_order_relaxed); }

bool ask_pollers() {
  if (asking.load(std::memory_order_relaxed) || asking.exchange(true, std::memory_order_acquire)) return false;
  bool came = false;
  // The entity that ran here last may run elsewhere by now: pollers act in nobody's name.
  void* last = arch::current_pointer();
  set_current(nullptr);
  uint32_t count = poller_count.load(std::memory_order_acquire);
  for (uint32_t i = 0; i < count; ++i) came |= pollers[i].poll(pollers[i].argument) != 0;
  arch::set_current_pointer(last);
  asked_at.store(os::now(), std::memory_order_relaxed);
  asking.store(false, std::memory_order_release);
  return came;
}

bool ask_pollers_after(uint64_t patience) {
  if (os::now() - asked_at.load(std::memory_order_relaxed) < patience) return false;
  return ask_pollers();
}

bool take_watch() { return !watched.exchange(true, std::memory_order_relaxed); }  // relaxed: a right, no data
void end_watch() { watched.store(false, std::memory_order_relaxed); }
bool is_watched() { return watched.load(std::memory_order_relaxed); }

void reset_pollers_after_fork() {
  awaited.store(0, std::memory_order_relaxed);
  asking.store(false, std::memory_order_relaxed);
  watched.store(false, std::memory_order_relaxed);
}

}  // namespace tulle::sched
