// SPDX-License-Identifier: Apache-2.0
// Multiplicative hashing (Knuth, vol. 3, §6.4): the golden ratio's multiples spread neighbouring keys
// evenly. The high bits of a hash are the good ones. Pure: any thread.
#pragma once

#include <cstdint>

namespace tulle {

inline constexpr uint64_t kGoldenRatio = 0x9e3779b97f4a7c15;  // of 2^64; odd

constexpr uint64_t golden_hash(uint64_t key) { return key * kGoldenRatio; }

inline uint64_t golden_hash(const void* address) {
  return golden_hash(reinterpret_cast<uintptr_t>(address));
}

// The hash of what was hashed so far and one word more.
constexpr uint64_t golden_hash(uint64_t before, uint64_t word) { return golden_hash(before ^ word); }

}  // namespace tulle
