// SPDX-License-Identifier: Apache-2.0
#include "abi/kmp/loop_nest.h"

namespace tulle::kmp {
namespace {

struct Ends {
  uint64_t lower;
  uint64_t upper;
};

Ends ends_of(const LoopBounds& b, const uint64_t* ivs) {
  // A loop that depends on none has factors of 0; its `outer` may then be any loop around it.
  const uint64_t lower = b.lower1 ? b.lower0 + b.lower1 * ivs[b.outer] : b.lower0;
  const uint64_t upper = b.upper1 ? b.upper0 + b.upper1 * ivs[b.outer] : b.upper0;
  return {narrow(lower, b.type), narrow(upper, b.type)};
}

// No value is below the least or above the greatest one: such a loop has no iterations.
void make_empty(LoopBounds& b, uint64_t lower, uint64_t upper) {
  b.lower0 = lower;
  b.upper0 = upper;
  b.lower1 = b.upper1 = 0;
}

uint64_t least(int32_t type) {
  return is_signed(type) ? narrow(uint64_t{1} << (bits_of(type) - 1), type) : 0;
}

uint64_t greatest(int32_t type) { return narrow(least(type) - 1, type); }

bool less(uint64_t a, uint64_t b, int32_t type) {
  return is_signed(type) ? static_cast<int64_t>(a) < static_cast<int64_t>(b) : a < b;
}

}  // namespace

uint64_t narrow(uint64_t value, int32_t type) {
  const unsigned unused = 64 - bits_of(type);
  if (is_signed(type))
    return static_cast<uint64_t>(static_cast<int64_t>(value << unused) >> unused);
  return value << unused >> unused;
}

void make_canonical(LoopBounds& b) {
  switch (static_cast<LoopCompare>(b.compare)) {
    case LoopCompare::not_equal:
      b.upper0 += b.step > 0 ? uint64_t(-1) : 1;
      b.compare = static_cast<int32_t>(b.step > 0 ? LoopCompare::less_equal
                                                  : LoopCompare::greater_equal);
      break;
    case LoopCompare::less:
      if (b.upper1 == 0 && b.upper0 == least(b.type))
        make_empty(b, 1, 0);
      else
        b.upper0 -= 1;
      b.compare = static_cast<int32_t>(LoopCompare::less_equal);
      break;
    case LoopCompare::greater:
      if (b.upper1 == 0 && b.upper0 == greatest(b.type))
        make_empty(b, 0, 1);
      else
        b.upper0 += 1;
      b.compare = static_cast<int32_t>(LoopCompare::greater_equal);
      break;
    default:
      break;
  }
  b.upper0 = narrow(b.upper0, b.type);
}

uint64_t trips_of(const LoopBounds& b, const uint64_t* ivs) {
  const Ends ends = ends_of(b, ivs);
  const uint64_t step = static_cast<uint64_t>(b.step);
  if (b.compare == static_cast<int32_t>(LoopCompare::less_equal))
    return less(ends.upper, ends.lower, b.type) ? 0 : (ends.upper - ends.lower) / step + 1;
  return less(ends.lower, ends.upper, b.type) ? 0 : (ends.lower - ends.upper) / -step + 1;
}

uint64_t value_at(const LoopBounds& b, const uint64_t* ivs, uint64_t index) {
  return narrow(ends_of(b, ivs).lower + index * static_cast<uint64_t>(b.step), b.iv_type);
}

uint64_t count_nest(const LoopBounds* nest, int32_t depth, int32_t level, uint64_t* ivs) {
  const uint64_t trips = trips_of(nest[level], ivs);
  if (level + 1 == depth) return trips;
  uint64_t count = 0;
  for (uint64_t i = 0; i < trips; ++i) {
    ivs[level] = value_at(nest[level], ivs, i);
    count += count_nest(nest, depth, level + 1, ivs);
  }
  return count;
}

void find_in_nest(const LoopBounds* nest, int32_t depth, int32_t level, uint64_t index,
                  uint64_t* ivs) {
  if (level + 1 == depth) {
    ivs[level] = value_at(nest[level], ivs, index);
    return;
  }
  for (uint64_t i = 0;; ++i) {
    ivs[level] = value_at(nest[level], ivs, i);
    const uint64_t inside = count_nest(nest, depth, level + 1, ivs);
    if (index < inside) break;
    index -= inside;
  }
  find_in_nest(nest, depth, level + 1, index, ivs);
}

}  // namespace tulle::kmp
