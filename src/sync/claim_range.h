// SPDX-License-Identifier: Apache-2.0
// A range of numbers that several OS threads claim one at a time: the owner from the low end,
// thieves from the high end. One word {generation, low, high}: a claim made against an older
// generation fails, so a reader may be as late as it likes.
// A single number can be reserved for the owner, who then takes it without writing to the word: it says
// so in a line of its own (OwnClaim), and the word stays with the publisher's next write in mind.
//
// Ordering: publish and reserve (release) pair with the claims (acquire): who claims a number sees what
// the publisher wrote before. Nothing else is ordered by it. A reserved number:
//   owner      mark = word; hot fence; word as before? taken : exchange recalled -> taken
//   publisher  word as before? recalled; heavy fence; mark as word? left to the owner : exchange recalled -> open
// One of the two sees the other; if both do, the owner's exchange decides, and the publisher leaves it to it.
#pragma once

#include <atomic>
#include <cstdint>

#include "os/fence.h"

namespace tulle::sync {

// The reserved number that its owner took last, as the word that it read. W: owner.
class OwnClaim {
 private:
  friend class ClaimRange;
  std::atomic<uint64_t> taken_{0};
};

class ClaimRange {
 public:
  static constexpr uint32_t kLimit = (1u << 19) - 1;  // largest number plus one
  static constexpr uint32_t kNone = UINT32_MAX;

  // Publisher only, when the range before is used up. Numbers [low, high).
  void publish(uint32_t generation, uint32_t low, uint32_t high) {
    word_.store(pack(generation, low, high), std::memory_order_release);
  }

  // Publisher only, likewise: `number`, not 0, for the owner alone, who took the one before that way.
  void reserve(uint32_t generation, uint32_t number) {
    word_.store(pack(generation, number, 0), std::memory_order_release);
  }

  // The same where it did not: generations come round, and what it took last may be this very word. Then
  // the number is open to all, and false returned.
  bool reserve_anew(const OwnClaim& own, uint32_t generation, uint32_t number) {
    const bool taken = own.taken_.load(std::memory_order_relaxed) == pack(generation, number, 0);
    if (taken)
      publish(generation, number, number + 1);
    else
      reserve(generation, number);
    return !taken;
  }

  // Publisher only, or one that comes after it, also at once: opens to all what is reserved, unless the owner has taken it
  // or is about to, or another one has opened it. True if it did.
  bool open_reserved(const OwnClaim& own) {
    uint64_t word = word_.load(std::memory_order_acquire);  // pairs with another publisher's reserve
    if (!is_reserved(word) || own.taken_.load(std::memory_order_relaxed) == word) return false;
    uint64_t recalled = word | kRecalled;
    // Relaxed: the fence orders it.
    if (!word_.compare_exchange_strong(word, recalled, std::memory_order_relaxed)) return false;
    os::heavy_fence();  // before the look at what the owner took; pairs with its hot fence
    if (own.taken_.load(std::memory_order_relaxed) == word) return false;
    // Release: as publish.
    return word_.compare_exchange_strong(recalled, word + low_of(word) + 1, std::memory_order_release,
                                         std::memory_order_relaxed);
  }

  // Owner only: the reserved number and its generation; kNone if there is none, or it has been taken.
  uint32_t claim_reserved(OwnClaim& own, uint32_t& generation) {
    uint64_t word = word_.load(std::memory_order_acquire);  // pairs with reserve
    if (!is_reserved(word & ~kRecalled)) return kNone;
    const uint64_t reserved = word & ~kRecalled;
    if (own.taken_.load(std::memory_order_relaxed) == reserved) return kNone;
    own.taken_.store(reserved, std::memory_order_relaxed);  // the fence orders it
    os::hot_fence();  // before the second look; pairs with the publisher's heavy fence
    word = word_.load(std::memory_order_acquire);  // pairs with reserve, should it be a later one
    generation = generation_of(reserved);
    if (word == reserved) return low_of(reserved);
    uint64_t recalled = reserved | kRecalled;
    if (word_.compare_exchange_strong(recalled, reserved + low_of(reserved), std::memory_order_acquire,
                                      std::memory_order_relaxed))
      return low_of(reserved);
    own.taken_.store(0, std::memory_order_relaxed);  // it may be reserved again under the same word
    return kNone;
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

  // Any thread, a hint: how many are left for all, in whatever generation.
  uint32_t left() const {
    uint64_t seen = word_.load(std::memory_order_relaxed);  // relaxed: a claim decides
    return low_of(seen) < high_of(seen) ? high_of(seen) - low_of(seen) : 0;
  }

  // Any thread, a hint: how many are left for the owner.
  uint32_t left_for(const OwnClaim& own) const {
    uint64_t seen = word_.load(std::memory_order_relaxed);  // relaxed: a claim decides
    if (low_of(seen) < high_of(seen)) return high_of(seen) - low_of(seen);
    const uint64_t reserved = seen & ~kRecalled;
    return is_reserved(reserved) && own.taken_.load(std::memory_order_relaxed) != reserved;
  }

  // Any thread: the generation in force and what is left of it for all, in one look.
  bool open_in(uint32_t& generation) const {
    uint64_t seen = word_.load(std::memory_order_acquire);  // pairs with publish
    generation = generation_of(seen);
    return low_of(seen) < high_of(seen);
  }

  static constexpr uint32_t kGenerationMask = (1u << 24) - 1;

 private:
  // In the place of the lowest number's top bit: closed to claims from either end.
  static constexpr uint64_t kRecalled = uint64_t{1} << 39;
  static constexpr uint32_t kNumberMask = (1u << 20) - 1;

  static uint64_t pack(uint32_t generation, uint32_t low, uint32_t high) {
    return (uint64_t{generation & kGenerationMask} << 40) | (uint64_t{low} << 20) | high;
  }
  static uint32_t generation_of(uint64_t word) { return static_cast<uint32_t>(word >> 40); }
  static uint32_t low_of(uint64_t word) { return static_cast<uint32_t>(word >> 20) & kNumberMask; }
  static uint32_t high_of(uint64_t word) { return static_cast<uint32_t>(word) & kNumberMask; }
  static bool open(uint64_t word, uint32_t generation) {
    return generation_of(word) == (generation & kGenerationMask) && low_of(word) < high_of(word);
  }
  // {generation, number, 0}, and not recalled.
  static bool is_reserved(uint64_t word) {
    return high_of(word) == 0 && low_of(word) != 0 && (word & kRecalled) == 0;
  }

  std::atomic<uint64_t> word_{0};
};

}  // namespace tulle::sync
