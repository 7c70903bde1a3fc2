// SPDX-License-Identifier: Apache-2.0
// How a process that is a device and its host speak: orders in memory that both have, in a lane for each priority and
// one for copies, which come first. Orders are posted while others are carried out, so that the device does not wait
// for its host between them. Each side polls for a while and then sleeps.
//
// Ordering: a lane's `posted` (release) publishes orders, its `answered` (release) what came of them; each pairs with the
// other side's acquire load. Before one sleeps it says so and looks once more, sequentially consistent like the
// stores and the looks at who sleeps; it sleeps on the count of all orders, or of all answers.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "base/cacheline.h"
#include "offload/device.h"

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
  static constexpr int kLanes = kPriorities + 1;
  static constexpr int kCopies = kPriorities;  // the lane of copies

  // --- the host, one thread at a time

  bool has_room(int lane) const { return posted(lane) - answered(lane) < kRoom; }
  // What has no room: while some wait the device takes nothing of a lower lane.
  uint32_t waiting(int lane) const { return lanes_[lane].waiting.load(std::memory_order_relaxed); }
  void add_waiting(int lane, int difference) {
    lanes_[lane].waiting.store(waiting(lane) + static_cast<uint32_t>(difference), std::memory_order_release);
  }
  // The number of the order, which is_answered() is asked for.
  uint32_t post(int lane, const Order& order);
  // Where it says that something is urgent: a word that the device looks at while it runs something.
  void tell_by(std::atomic<uint32_t>* word) { urgent_ = word; }
  // All that was posted since the last time is seen, also by a device that sleeps: once for any number of orders.
  void announce();

  // --- the host, any thread

  bool is_answered(int lane, uint32_t number) const { return static_cast<int32_t>(answered(lane) - number) >= 0; }
  // Sleeps unless done(), until an order is answered. False: the limit, in nanoseconds, has passed.
  template <class Done>
  bool sleep_for_answer(uint64_t nanoseconds, Done done) {
    host_sleeps_.fetch_add(1, std::memory_order_seq_cst);
    uint32_t seen = answers_.load(std::memory_order_seq_cst);
    bool in_time = done() || sleep(answers_, seen, nanoseconds);
    host_sleeps_.fetch_sub(1, std::memory_order_relaxed);
    return in_time;
  }

  // --- the device

  // The lane of the first order above `lane`; -1: there is none, or one has no room yet.
  int lane_above(int lane) const;
  // The same, which waits for one. Any lane.
  int await_order();
  const Order& first_in(int lane) const { return lanes_[lane].orders[answered(lane) % kRoom]; }
  void answer(int lane);
  // It is about to look at all lanes.
  void settle() { urgent_->store(0, std::memory_order_seq_cst); }

 private:
  static constexpr uint32_t kRoom = 16;

  struct Lane {
    TULLE_PAIR_ALIGNED std::atomic<uint32_t> posted{0};  // W: the host
    std::atomic<uint32_t> waiting{0};                    // W: the host
    Order orders[kRoom];                                 // W: the host
    TULLE_PAIR_ALIGNED std::atomic<uint32_t> answered{0};  // W: the device
  };

  uint32_t posted(int lane) const { return lanes_[lane].posted.load(std::memory_order_acquire); }
  uint32_t answered(int lane) const { return lanes_[lane].answered.load(std::memory_order_acquire); }
  static bool sleep(const std::atomic<uint32_t>& word, uint32_t seen, uint64_t nanoseconds);

  std::atomic<uint32_t>* urgent_ = nullptr;
  Lane lanes_[kLanes];
  TULLE_PAIR_ALIGNED std::atomic<uint32_t> orders_{0};  // futex word; W: the host
  std::atomic<uint32_t> host_sleeps_{0};                // how many threads; W: the host
  TULLE_PAIR_ALIGNED std::atomic<uint32_t> answers_{0};  // futex word; W: the device
  std::atomic<uint32_t> device_sleeps_{0};               // W: the device
};

}  // namespace tulle::offload
