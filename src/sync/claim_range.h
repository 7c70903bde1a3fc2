// SPDX-License-Identifier: Apache-2.0
// A range of numbers that several OS threads claim one at a time: the owner from the low end,
// thieves from the high end. One word {generation, low, high}: a claim made against an older
// generation fails, so a reader may be as late as it likes.
//
// Ordering: publish (release) pairs with the successful claims (acquire): who claims a number sees
// what the publisher wrote before. Nothing else is ordered by it.
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::sync {

class ClaimRange {
 public:
  static constexpr uint32_t kLimit = (1u << 20) - 1;  // largest number plus one
  static constexpr uint32_t kNone = UINT32_MAX;

  // Publisher only, when the range before is used up. Numbers [low, high).
  void publish(uint32_t generation, uint32_t low, uint32_t high) {
    word_.store(pack(generation, low, high), std::memory_order_release);
  }

  // Any thread: the next number from the low end, or kNone.
  uint32_t claim_low(uint32_t generation) {
    uint64_t seen = word_.load(std::memory_order_relaxed);  // relaxed: the exchange decides
    for (;;) {
      if (!open(seen, generation)) return kNone;
      uint32_t number = low_of(seen);
      if (word_.compare_exchange_weak(seen, seen + (uint64_t{1} << 20), std::memory_order_acquire,
                                      std::memory_order_relaxed))
        return number;
    }
  }

  // Any thread: the last number of the high end, or kNone.
  uint32_t claim_high(uint32_t generation) {
    uint64_t seen = word_.load(std::memory_order_relaxed);  // relaxed: the exchange decides
    for (;;) {
      if (!open(seen, generation)) return kNone;
      if (word_.compare_exchange_weak(seen, seen - 1, std::memory_order_acquire,
                                      std::memory_order_relaxed))
        return high_of(seen) - 1;
    }
  }

  // Any thread, a hint: how many are left, in whatever generation.
  uint32_t left() const {
    uint64_t seen = word_.load(std::memory_order_relaxed);  // relaxed: a claim decides
    return low_of(seen) < high_of(seen) ? high_of(seen) - low_of(seen) : 0;
  }
  bool something_left() const { return left() != 0; }

  // Any thread: the generation in force and what is left of it, in one look.
  bool open_in(uint32_t& generation) const {
    uint64_t seen = word_.load(std::memory_order_acquire);  // pairs with publish
    generation = static_cast<uint32_t>(seen >> 40);
    return low_of(seen) < high_of(seen);
  }

  static constexpr uint32_t kGenerationMask = (1u << 24) - 1;

 private:
  static uint64_t pack(uint32_t generation, uint32_t low, uint32_t high) {
    return (uint64_t{generation & kGenerationMask} << 40) | (uint64_t{low} << 20) | high;
  }
  static uint32_t low_of(uint64_t word) { return static_cast<uint32_t>(word >> 20) & kLimit; }
  static uint32_t high_of(uint64_t word) { return static_cast<uint32_t>(word) & kLimit; }
  static bool open(uint64_t word, uint32_t generation) {
    return static_cast<uint32_t>(word >> 40) == (generation & kGenerationMask) &&
           low_of(word) < high_of(word);
  }

  std::atomic<uint64_t> word_{0};
};

}  // namespace tulle::sync
