// SPDX-License-Identifier: Apache-2.0
// How a process that is a device and its host speak: one order at a time, in memory that both have. Each side polls
// for a while and then sleeps.
//
// Ordering: `posted` (release) publishes the order, `answered` (release) what came of it; each pairs with the
// other side's acquire load. Before one sleeps it says so and looks once more, sequentially consistent like the
// stores and the looks at who sleeps.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cacheline.h"
#include "omp/thread/team.h"

namespace tulle::offload {

struct Order {
  enum Kind : uint32_t { run, copy } kind;
  uint32_t thread_limit;
  omp::RegionFunction function;
  void* arguments;
  void* to;
  const void* from;
  size_t bytes;
};

class Channel {
 public:
  // --- the host, one thread at a time

  void post(const Order& order);
  bool is_answered() const { return answered_.load(std::memory_order_acquire) == posted_.load(std::memory_order_relaxed); }
  // False: the limit, in nanoseconds, has passed.
  bool sleep_for_answer(uint64_t nanoseconds);

  // --- the device

  const Order& await_order();
  void answer();

 private:
  TULLE_PAIR_ALIGNED std::atomic<uint32_t> posted_{0};  // W: the host
  Order order_{};                                       // W: the host
  std::atomic<uint32_t> host_sleeps_{0};                // W: the host
  TULLE_PAIR_ALIGNED std::atomic<uint32_t> answered_{0};  // W: the device
  std::atomic<uint32_t> device_sleeps_{0};                // W: the device
};

}  // namespace tulle::offload
