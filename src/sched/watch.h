// SPDX-License-Identifier: Apache-2.0
// Whether code that keeps a worker from any scheduling decision advances, or runs in place because it
// waits for somebody. Who waits in a loop comes by with the same registers again and again; whoever
// computes has other ones at every look. A loop that counts how often it looked, or reads a clock,
// counts as computing; nothing is said of code that is in system calls.
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::sched {

enum class Advance : uint8_t {
  unknown,   // not looked at often enough, or it cannot be
  in_place,
  onwards,
};

// Owner: the monitor.
class Watch {
 public:
  // The code has not been looked at yet.
  void begin();

  // The OS thread has had `cpu_time` so far, in nanoseconds. Looks if it has run for `interval` since
  // the last look, and says what all looks together show.
  Advance look(int kernel_id, uint64_t cpu_time, uint64_t interval);

 private:
  static constexpr uint32_t kLooks = 7;

  void note(uint64_t digest);

  std::atomic<uint64_t> answer_{0};  // W: the OS thread that is looked at
  uint64_t seen_[kLooks] = {};
  uint64_t asked_at_ = 0;  // CPU time then
  uint32_t looks_ = 0;
  uint32_t repeats_ = 0;
  bool asked_ = false;
  bool possible_ = true;
};

}  // namespace tulle::sched
