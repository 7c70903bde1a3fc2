// SPDX-License-Identifier: Apache-2.0
#include "omp/thread/asked_size.h"

#include <atomic>

#include "base/hash.h"

namespace tulle::omp {

namespace {

constexpr int kBits = 8;
std::atomic<const void*> codes[1 << kBits];

std::atomic<const void*>& place_of(const void* code) {
  return codes[golden_hash(reinterpret_cast<uintptr_t>(code)) >> (64 - kBits)];
}

}  // namespace

void note_size_asked(const Team* team) {
  std::atomic<const void*>& place = place_of(team->code);
  if (place.load(std::memory_order_relaxed) != team->code) place.store(team->code, std::memory_order_relaxed);
}

bool has_asked_size(const void* code) {
  return place_of(code).load(std::memory_order_relaxed) == code;
}

}  // namespace tulle::omp
