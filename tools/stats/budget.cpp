// SPDX-License-Identifier: Apache-2.0
#include "budget.h"

#include <algorithm>
#include <cstdlib>

namespace tulle::stats {

Budget budget;

namespace {

// So much is spent in any case.
constexpr double kLeastNs = 5e5;
constexpr double kShare = 0.01;

}  // namespace

void Budget::begin(int cores, const char* limit) {
  began_ = {};
  cores_ = std::max(cores, 1);
  share_ = limit != nullptr ? std::strtod(limit, nullptr) / 100 : kShare;
  steps_.store(0, std::memory_order_relaxed);
}

bool Budget::is_used_up(uint64_t own) {
  // The cores share the cost, but not that of one thread for which the others wait.
  const double all = static_cast<double>(steps_.fetch_add(1, std::memory_order_relaxed) + 1);
  const double cost = std::max(all / cores_, static_cast<double>(own)) * kStepNs;
  if (cost < kLeastNs || cost < share_ * (Moment().ns - began_.ns) || share_ >= 1) return false;
  uint64_t going_on = 0;
  return ended_at_.compare_exchange_strong(going_on, ticks(), std::memory_order_relaxed);
}

void Budget::end() {
  uint64_t going_on = 0;
  ended_at_.compare_exchange_strong(going_on, ticks(), std::memory_order_relaxed);
}

}  // namespace tulle::stats
