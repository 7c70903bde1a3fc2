// SPDX-License-Identifier: Apache-2.0
// A set of processors by the operating system's numbers. Of fixed size, as large as Linux builds
// them, so that it is copied without allocation. Not synchronised.
#pragma once

#include <bit>
#include <cstdint>

#include "base/contract.h"

namespace tulle {

inline constexpr int kMaxCpus = 8192;

class CpuSet {
 public:
  static constexpr int kWords = kMaxCpus / 64;

  constexpr void add(int cpu) { words_[index(cpu)] |= bit(cpu); }
  constexpr void remove(int cpu) { words_[index(cpu)] &= ~bit(cpu); }
  constexpr bool contains(int cpu) const {
    return cpu >= 0 && cpu < kMaxCpus && (words_[cpu / 64] & bit(cpu)) != 0;
  }

  constexpr int count() const {
    int sum = 0;
    for (std::uint64_t word : words_) sum += std::popcount(word);
    return sum;
  }
  constexpr bool empty() const { return first() < 0; }

  // The lowest member, and the lowest above `cpu`; -1 if there is none.
  constexpr int first() const { return next(-1); }
  constexpr int next(int cpu) const {
    int from = cpu + 1;
    if (from >= kMaxCpus) return -1;
    std::uint64_t word = words_[from / 64] & (~std::uint64_t{0} << (from % 64));
    for (int i = from / 64;;) {
      if (word != 0) return i * 64 + std::countr_zero(word);
      if (++i == kWords) return -1;
      word = words_[i];
    }
  }

  constexpr CpuSet& operator&=(const CpuSet& other) {
    for (int i = 0; i < kWords; ++i) words_[i] &= other.words_[i];
    return *this;
  }
  constexpr CpuSet& operator|=(const CpuSet& other) {
    for (int i = 0; i < kWords; ++i) words_[i] |= other.words_[i];
    return *this;
  }
  constexpr bool operator==(const CpuSet&) const = default;

  // The words themselves, least significant CPU first: the layout of the kernel's masks.
  std::uint64_t* words() { return words_; }
  const std::uint64_t* words() const { return words_; }

 private:
  static constexpr int index(int cpu) {
    TULLE_EXPECT(cpu >= 0 && cpu < kMaxCpus);
    return cpu / 64;
  }
  static constexpr std::uint64_t bit(int cpu) { return std::uint64_t{1} << (cpu % 64); }

  std::uint64_t words_[kWords] = {};
};

}  // namespace tulle
