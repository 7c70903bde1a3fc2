// SPDX-License-Identifier: Apache-2.0
// A range of numbers that its owner takes from the low end, several at a time if it likes, and of
// which thieves take the higher half. One word {generation, high, low}, changed by compare and
// exchange: the word says all there is to know, so a change that was late and still matches is right.
//
// A range serves one generation after another. Whoever comes first opens it: the owner, or a thief on
// behalf of an owner that has not come yet. A thief may do so only if it knows that the owner is
// through with the generation that the range served before; it may know that too late, and then finds
// a later generation.
//
// All orders are relaxed: nothing but the numbers is handed over.
#pragma once

#include <atomic>
#include <cstdint>

namespace tulle::sync {

class StealRange {
 public:
  static constexpr uint32_t kLimit = (1u << 20) - 1;  // largest end

  struct Part {
    uint32_t low = 0, high = 0;
    bool empty() const { return low >= high; }
    uint32_t size() const { return high - low; }
  };

  // Before it is shared: empty, in a generation before the one to come.
  void clear(uint32_t generation) { skip_owner(generation); }

  // Owner, in a generation in which there are no thieves.
  void skip_owner(uint32_t generation) {
    word_.store(pack(generation, {}), std::memory_order_relaxed);
  }

  // Owner: opens the range with these numbers, unless a thief has done so.
  void open_owner(uint32_t generation, Part numbers) {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    while (!serves(seen, generation) && !change(seen, pack(generation, numbers))) {
    }
  }

  // Owner, with an empty range: what it stole elsewhere. Nobody else changes an empty range.
  void refill_owner(uint32_t generation, Part numbers) {
    word_.store(pack(generation, numbers), std::memory_order_relaxed);
  }

  // Owner: takes amount(all) numbers, 1 to all.size(), from the low end; an empty part if there are
  // none.
  template <class Amount>
  Part take_owner(Amount amount) {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      Part all = part_of(seen);
      if (all.empty()) return {};
      uint32_t n = amount(all);
      if (change(seen, seen + n)) return {all.low, all.low + n};
    }
  }

  // Any: a hint; how many numbers are left in this generation.
  uint32_t left(uint32_t generation) const {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    return serves(seen, generation) ? part_of(seen).size() : 0;
  }

  // Thief: takes the lowest number; an empty part if none is left in this generation.
  Part take_any(uint32_t generation) {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      Part all = part_of(seen);
      if (!serves(seen, generation) || all.empty()) return {};
      if (change(seen, seen + 1)) return {all.low, all.low + 1};
    }
  }

  // Thief: takes the higher half, rounded up. If nobody has come to this generation yet, nor to a later
  // one, and `may_open` says that it may be opened, it begins with `numbers`.
  Part steal_any(uint32_t generation, bool may_open, Part numbers) {
    uint64_t seen = word_.load(std::memory_order_relaxed);
    for (;;) {
      bool open = serves(seen, generation);
      if (!open && !(may_open && comes_after(seen, generation))) return {};
      Part all = open ? part_of(seen) : numbers;
      if (all.empty()) return {};
      uint32_t middle = all.low + all.size() / 2;
      if (change(seen, pack(generation, {all.low, middle}))) return {middle, all.high};
    }
  }

 private:
  static constexpr int kBits = 20;
  static constexpr uint32_t kGenerations = 1u << 24;

  static uint64_t pack(uint32_t generation, Part numbers) {
    return uint64_t{generation % kGenerations} << (2 * kBits) | uint64_t{numbers.high} << kBits |
           numbers.low;
  }
  static bool serves(uint64_t word, uint32_t generation) {
    return word >> (2 * kBits) == generation % kGenerations;
  }
  // Of two generations the later one is less than half of all ahead.
  static bool comes_after(uint64_t word, uint32_t generation) {
    uint32_t ahead = (generation - static_cast<uint32_t>(word >> (2 * kBits))) % kGenerations;
    return ahead != 0 && ahead < kGenerations / 2;
  }
  static Part part_of(uint64_t word) {
    return {static_cast<uint32_t>(word) & kLimit, static_cast<uint32_t>(word >> kBits) & kLimit};
  }
  bool change(uint64_t& seen, uint64_t wanted) {
    return word_.compare_exchange_weak(seen, wanted, std::memory_order_relaxed);
  }

  std::atomic<uint64_t> word_{0};
};

}  // namespace tulle::sync
