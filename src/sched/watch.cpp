// SPDX-License-Identifier: Apache-2.0
#include "sched/watch.h"

#include <algorithm>

#include "os/registers.h"
#include "os/thread.h"

namespace tulle::sched {

void Watch::begin() {
  answer_.store(0, std::memory_order_relaxed);  // an answer that is late counts as one of the new looks
  asked_at_ = 0;
  looks_ = repeats_ = 0;
  asked_ = false;
  possible_ = true;
}

void Watch::note(uint64_t digest) {
  if (std::find(seen_, seen_ + looks_, digest) != seen_ + looks_) ++repeats_;
  seen_[looks_++] = digest;
}

Advance Watch::look(int kernel_id, uint64_t cpu_time, uint64_t interval) {
  uint64_t digest = asked_ ? answer_.load(std::memory_order_relaxed) : 0;
  if (digest != 0) {
    asked_ = false;
    answer_.store(0, std::memory_order_relaxed);
    if (digest != os::kInSystemCall) note(digest);
  }
  bool wanted = possible_ && looks_ < kLooks;
  // Without having run since the last look it would be where it was; and the signal would end a sleep.
  bool moved = looks_ == 0 || cpu_time - asked_at_ >= interval;
  if (wanted && !asked_ && moved && !os::is_blocked_in_kernel(kernel_id)) {
    asked_at_ = cpu_time;
    asked_ = possible_ = os::ask_for_registers(kernel_id, answer_);
  }
  if (looks_ < kLooks) return Advance::unknown;
  // A single repetition may be chance: it proves neither.
  if (repeats_ >= 2) return Advance::in_place;
  return repeats_ == 0 ? Advance::onwards : Advance::unknown;
}

}  // namespace tulle::sched
