// SPDX-License-Identifier: Apache-2.0
// A table with open addressing. A word that is not zero says all of a place, and never changes again.
#include "sites.h"

#include <atomic>

namespace tulle::stats {

namespace {

constexpr uint32_t kCodeBits = 48, kRegionBits = 9;
static_assert(kSites <= 1u << kRegionBits);

std::atomic<uint64_t> words[kSites];

uint64_t word_of(SiteKind kind, const void* code, uint32_t region) {
  return (reinterpret_cast<uintptr_t>(code) & ((uint64_t{1} << kCodeBits) - 1)) |
         static_cast<uint64_t>(region) << kCodeBits | static_cast<uint64_t>(kind) << (kCodeBits + kRegionBits);
}

}  // namespace

uint32_t site_of(SiteKind kind, const void* code, uint32_t region) {
  const uint64_t word = word_of(kind, code, region);
  auto at = static_cast<uint32_t>((word * 0x9E3779B97F4A7C15u) >> 32) % kSites;
  for (uint32_t tried = 0; tried < kSites; ++tried, at = (at + 1) % kSites) {
    if (at == kSerial || at == kOther) continue;
    uint64_t found = words[at].load(std::memory_order_relaxed);  // the word is all there is to see
    if (found == 0 && words[at].compare_exchange_strong(found, word, std::memory_order_relaxed)) return at;
    if (found == word) return at;
  }
  return kOther;
}

Site site(uint32_t number) {
  const uint64_t word = words[number].load(std::memory_order_relaxed);
  return {static_cast<SiteKind>(word >> (kCodeBits + kRegionBits)),
          reinterpret_cast<const void*>(word & ((uint64_t{1} << kCodeBits) - 1)),
          static_cast<uint32_t>(word >> kCodeBits) & ((1u << kRegionBits) - 1)};
}

}  // namespace tulle::stats
