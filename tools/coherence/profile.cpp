// SPDX-License-Identifier: Apache-2.0
#include "coherence/profile.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tulle::coherence {
namespace {

constexpr std::size_t kShown = 40;

struct Taken {
  double time = 0;
  std::uint64_t misses = 0;
};

int kept = kNoCore;  // whose, as told to begin_profile
std::unordered_map<const void*, Taken> taken;

// As addr2line wants it: before the call's return, in the call.
std::uintptr_t address_in_file(const void* instruction) {
  Dl_info info{};
  const std::uintptr_t base = dladdr(instruction, &info) != 0 ? reinterpret_cast<std::uintptr_t>(info.dli_fbase) : 0;
  return reinterpret_cast<std::uintptr_t>(instruction) - base - 1;
}

}  // namespace

Access::~Access() {
  if (kept != kAllCores && kept != core_.number) return;
  Taken& sum = taken[instruction_];
  sum.time += core_.time - time_;
  sum.misses += core_.misses - misses_;
}

void begin_profile(int core) { kept = core; }

void print_profile() {
  std::vector<std::pair<const void*, Taken>> lines(taken.begin(), taken.end());
  std::ranges::sort(lines, [](const auto& a, const auto& b) { return a.second.time > b.second.time; });
  lines.resize(std::min(lines.size(), kShown));
  for (const auto& [instruction, sum] : lines)
    fmt::print("{:.0f} {} {:#x}\n", sum.time, sum.misses, address_in_file(instruction));
}

}  // namespace tulle::coherence
