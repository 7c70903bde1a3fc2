// SPDX-License-Identifier: Apache-2.0
#include "offload/channel.h"

#include "arch/cpu.h"
#include "os/clock.h"
#include "os/shared_memory.h"
#include "sched/settings.h"

namespace tulle::offload {

namespace {

constexpr uint64_t kBetweenYields = 20000;   // ns
constexpr uint64_t kNap = 1000000000;        // ns: a wake-up is never lost, but costs nothing to look for

}  // namespace

void Channel::post(const Order& order) {
  order_ = order;
  posted_.fetch_add(1, std::memory_order_seq_cst);
  if (device_sleeps_.load(std::memory_order_seq_cst) != 0) os::shared_futex_wake(posted_, 1);
}

bool Channel::sleep_for_answer(uint64_t nanoseconds) {
  uint32_t seen = answered_.load(std::memory_order_acquire);
  host_sleeps_.store(1, std::memory_order_seq_cst);
  bool in_time = is_answered() || os::shared_futex_wait_for(answered_, seen, nanoseconds);
  host_sleeps_.store(0, std::memory_order_relaxed);
  return in_time;
}

const Order& Channel::await_order() {
  const uint64_t limit = sched::settings().spin_ns, begin = os::now();
  const uint32_t done = answered_.load(std::memory_order_relaxed);
  auto has_come = [&] { return posted_.load(std::memory_order_seq_cst) != done; };
  for (uint64_t now = begin, yielded = begin; limit == sched::kEndless || now - begin < limit; now = os::now()) {
    for (int i = 0; i < 64; ++i) {
      if (has_come()) return order_;
      arch::pause();
    }
    if (now - yielded < kBetweenYields) continue;
    if (os::yield_core()) break;
    yielded = now;
  }
  device_sleeps_.store(1, std::memory_order_seq_cst);
  while (!has_come()) os::shared_futex_wait_for(posted_, done, kNap);
  device_sleeps_.store(0, std::memory_order_relaxed);
  return order_;
}

void Channel::answer() {
  answered_.fetch_add(1, std::memory_order_seq_cst);
  if (host_sleeps_.load(std::memory_order_seq_cst) != 0) os::shared_futex_wake(answered_, 1);
}

}  // namespace tulle::offload
