// SPDX-License-Identifier: Apache-2.0
// Knowledge of tasks by the place in the program that makes them, their site: how many in a row took less
// time than it costs to keep one for others. Tasks of a site are taken to be alike until one is longer. Two
// sites that share a number are as one: where they differ, neither is trusted.
// Any thread writes and reads; relaxed in all, and updates may be lost: hints.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/hash.h"

namespace tulle::omp {

class TaskSites {
 public:
  static constexpr uint16_t kNone = 0;  // tasks that are never short

  // By the code of the tasks' body: any but kNone.
  static uint16_t number_of(const void* code) {
    return static_cast<uint16_t>((golden_hash(code) >> (64 - kNumberBits)) + 1);
  }

  bool are_short(uint16_t site) const { return in_a_row_[site].load(std::memory_order_relaxed) == kTrusted; }

  // They were seen to yield, maybe for what their maker does next: they are never called where they are made.
  bool yield(uint16_t site) const { return in_a_row_[site].load(std::memory_order_relaxed) == kNever; }
  void note_yield(uint16_t site) {
    if (!yield(site)) in_a_row_[site].store(kNever, std::memory_order_relaxed);
  }

  // They would be trusted, if one had ended without anything that its maker did meanwhile.
  bool are_untried(uint16_t site) const { return in_a_row_[site].load(std::memory_order_relaxed) == kTrusted - 1; }
  void note_tried(uint16_t site) {
    if (are_untried(site)) in_a_row_[site].store(kTrusted, std::memory_order_relaxed);
  }

  // One that was kept; one that was called.
  void note_short(uint16_t site) { count(site, kTrusted - 1); }
  void note_short_call(uint16_t site) { count(site, kTrusted); }

  void note_long(uint16_t site) {
    uint8_t seen = in_a_row_[site].load(std::memory_order_relaxed);
    if (seen != 0 && seen != kNever) in_a_row_[site].store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr int kNumberBits = 15;
  // A program whose tasks wait for each other by flags of their own has some short ones by chance.
  static constexpr uint8_t kTrusted = 64;
  static constexpr uint8_t kNever = UINT8_MAX;

  void count(uint16_t site, uint8_t most) {
    uint8_t seen = in_a_row_[site].load(std::memory_order_relaxed);
    if (seen < most && site != kNone) in_a_row_[site].store(seen + 1, std::memory_order_relaxed);
  }

  std::atomic<uint8_t> in_a_row_[(1 << kNumberBits) + 1] = {};
};

inline constinit TaskSites task_sites;

}  // namespace tulle::omp
