// SPDX-License-Identifier: Apache-2.0
// How long the tasks of a closed graph took in the replays so far, and what the next one does for it: whether a thread calls
// them alone, whether others share them from the beginning, or look first. Hints. W: whoever replays.
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::omp {

class GraphPace {
 public:
  // Cycles, on the mean: shorter ones are never shared; these are at once.
  static constexpr uint32_t kShort = 300, kWorthSharing = 500;

  bool is_short() const { return short_.load(std::memory_order_relaxed); }
  void set_short(bool is) { short_.store(is, std::memory_order_relaxed); }

  // So many tasks were called by one thread.
  void note_alone(uint32_t tasks, uint64_t cycles) {
    if (tasks < kFewest) return;
    const uint64_t mean = cycles / tasks;
    alone_.store(mean, std::memory_order_relaxed);
    if (mean >= kWorthSharing && left_.load(std::memory_order_relaxed) == 0)
      left_.store(kReplays, std::memory_order_relaxed);
  }
  // All were, by threads that shared them from the beginning. Something else may have kept them a few times.
  void note_shared(uint32_t tasks, uint64_t cycles) {
    const bool paid = cycles / tasks < alone_.load(std::memory_order_relaxed);
    const uint32_t vain = paid ? 0 : vain_.load(std::memory_order_relaxed) + 1;
    vain_.store(vain, std::memory_order_relaxed);
    if (vain == kMostInVain) left_.store(-kReplays, std::memory_order_relaxed);
  }

  // Asked once by each replay. Now and then it says no, and what tasks take alone is measured again.
  bool share_at_once() {
    const int32_t left = left_.load(std::memory_order_relaxed);
    if (left != 0) left_.store(left > 0 ? left - 1 : left + 1, std::memory_order_relaxed);
    return left > 0;
  }

 private:
  static constexpr uint32_t kFewest = 16;  // tasks that tell something
  static constexpr uint32_t kMostInVain = 4;
  static constexpr int32_t kReplays = 64;
  std::atomic<bool> short_{false};
  std::atomic<uint64_t> alone_{0};  // cycles of a task
  std::atomic<uint32_t> vain_{0};   // replays in a row whose sharing did not pay
  std::atomic<int32_t> left_{0};    // replays that share at once; negative: that do not, since it did not pay
};

}  // namespace tulle::omp
