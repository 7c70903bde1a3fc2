// SPDX-License-Identifier: Apache-2.0
// Places in the program's code by which counts are kept. Any thread; never moved, never forgotten.
#pragma once

#include <cstdint>

namespace tulle::stats {

enum class SiteKind : uint8_t { none, region, task, lock, loop, mpi };

inline constexpr uint32_t kSites = 512;
inline constexpr uint32_t kSerial = 0;          // of no region
inline constexpr uint32_t kOther = kSites - 1;  // of all for which there is no room

// The number of a place; each has one for each region that it is reached in.
uint32_t site_of(SiteKind kind, const void* code, uint32_t region);

struct Site {
  SiteKind kind = SiteKind::none;
  const void* code = nullptr;
  uint32_t region = kSerial;
};
Site site(uint32_t number);

}  // namespace tulle::stats
