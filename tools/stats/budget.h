// SPDX-License-Identifier: Apache-2.0
// What watching may cost: a part of the time so far. When it has cost more the tool ends, and tells of the time until
// then. Any thread.
#pragma once

#include <atomic>
#include <cstdint>

#include "ticks.h"

namespace tulle::stats {

class Budget {
 public:
  // What events cost, the runtime's part included: a construct's, and a member of a region, whose team meets by other
  // ways than without tools.
  static constexpr uint32_t kEventNs = 100, kMemberNs = 2500;
  static constexpr uint32_t kStepNs = 25000;  // of a thread, between two looks

  void begin(int cores, const char* limit);
  // A thread has spent so much more, `own` times so much by now. True once: for who is to end the tool.
  bool is_used_up(uint64_t own);
  // Ticks; 0: not yet.
  uint64_t ended_at() const { return ended_at_.load(std::memory_order_relaxed); }  // late looks count a little more
  void end();

 private:
  Moment began_;
  double cores_ = 1, share_ = 0;
  std::atomic<uint64_t> steps_{0};
  std::atomic<uint64_t> ended_at_{0};
};

extern Budget budget;

}  // namespace tulle::stats
