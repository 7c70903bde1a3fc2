// SPDX-License-Identifier: Apache-2.0
#include "offload/channel.h"

#include "offload/patience.h"
#include "os/shared_memory.h"

namespace tulle::offload {

namespace {

constexpr uint64_t kNap = 1000000000;  // ns: a wake-up is never lost, but costs nothing to look for

}  // namespace

bool Channel::sleep(const std::atomic<uint32_t>& word, uint32_t seen, uint64_t nanoseconds) {
  return os::shared_futex_wait_for(word, seen, nanoseconds);
}

uint32_t Channel::post(int lane, const Order& order) {
  Lane& to = lanes_[lane];
  uint32_t number = to.posted.load(std::memory_order_relaxed);
  to.orders[number % kRoom] = order;
  to.posted.store(number + 1, std::memory_order_release);
  if (lane != 0) urgent_->store(1, std::memory_order_seq_cst);
  return number + 1;
}

void Channel::announce() {
  orders_.fetch_add(1, std::memory_order_seq_cst);
  if (device_sleeps_.load(std::memory_order_seq_cst) != 0) os::shared_futex_wake(orders_, 1);
}

int Channel::lane_above(int lane) const {
  for (int i = kLanes - 1; i > lane; --i) {
    // What has waited is posted before it counts as such no more.
    bool some_wait = lanes_[i].waiting.load(std::memory_order_acquire) != 0;
    if (posted(i) != answered(i)) return i;
    if (some_wait) return -1;
  }
  return -1;
}

int Channel::await_order() {
  for (;;) {
    settle();
    uint32_t seen = orders_.load(std::memory_order_seq_cst);
    if (int lane = lane_above(-1); lane >= 0) return lane;
    if (poll_for_work([&] { return orders_.load(std::memory_order_seq_cst) != seen; })) continue;
    device_sleeps_.store(1, std::memory_order_seq_cst);
    while (orders_.load(std::memory_order_seq_cst) == seen) sleep(orders_, seen, kNap);
    device_sleeps_.store(0, std::memory_order_relaxed);
  }
}

void Channel::answer(int lane) {
  lanes_[lane].answered.fetch_add(1, std::memory_order_release);
  answers_.fetch_add(1, std::memory_order_seq_cst);
  if (host_sleeps_.load(std::memory_order_seq_cst) != 0) os::shared_futex_wake(answers_, INT32_MAX);
}

}  // namespace tulle::offload
