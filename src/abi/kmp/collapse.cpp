// SPDX-License-Identifier: Apache-2.0
//
// Collapsed loop nests for compilers that leave their arithmetic to the runtime. Rectangular nests are
// numbered by the product of their trip counts; for others each thread gets a contiguous part of the
// iterations, told by the points where it begins and ends.
#include <alloca.h>

#include "abi/kmp/context.h"
#include "abi/kmp/layout.h"
#include "abi/kmp/loop_nest.h"

namespace tulle::kmp {
namespace {

uint64_t* take_point(void* memory, int32_t depth) {
  auto* point = static_cast<uint64_t*>(memory);
  for (int32_t i = 0; i < depth; ++i) point[i] = 0;
  return point;
}

void set_part(LoopBounds* part, const LoopBounds* nest, int32_t depth, const uint64_t* first,
              const uint64_t* last) {
  for (int32_t i = 0; i < depth; ++i) {
    part[i] = nest[i];
    part[i].lower0 = first[i];
    part[i].upper0 = last[i];
    part[i].lower1 = part[i].upper1 = 0;
  }
}

}  // namespace

#define TULLE_POINT(depth) \
  take_point(alloca(static_cast<size_t>(depth) * sizeof(uint64_t)), depth)

// Brings the bounds to <= and >=, notes each loop's trip count, returns the nest's.
TULLE_KMP uint64_t __kmpc_process_loop_nest_rectang(Ident*, int32_t, LoopBounds* nest,
                                                    int32_t depth) {
  const uint64_t* ivs = TULLE_POINT(depth);
  uint64_t total = 1;
  for (int32_t i = 0; i < depth; ++i) {
    make_canonical(nest[i]);
    nest[i].trip_count = trips_of(nest[i], ivs);
    total *= nest[i].trip_count;
  }
  return total;
}

// The variables' values in iteration `index` of a nest that was processed.
TULLE_KMP void __kmpc_calc_original_ivs_rectang(Ident*, uint64_t index, const LoopBounds* nest,
                                                uint64_t* ivs, int32_t depth) {
  for (int32_t i = depth; i-- > 0;) {
    ivs[i] = value_at(nest[i], ivs, index % nest[i].trip_count);
    index /= nest[i].trip_count;
  }
}

// False: the thread has nothing to do.
TULLE_KMP int32_t __kmpc_for_collapsed_init(Ident*, int32_t, LoopBounds* nest, LoopBounds* part,
                                            int32_t depth, int32_t* last) {
  if (last) *last = 0;
  for (int32_t i = 0; i < depth; ++i) make_canonical(nest[i]);
  uint64_t* first_point = TULLE_POINT(depth);
  uint64_t* last_point = TULLE_POINT(depth);
  const uint64_t total = count_nest(nest, depth, 0, first_point);
  if (total == 0) return 0;
  const Part<uint64_t> mine = split_even<uint64_t>({0, total - 1}, 1, team_share());
  if (mine.bounds.empty(1)) return 0;
  find_in_nest(nest, depth, 0, mine.bounds.lower, first_point);
  find_in_nest(nest, depth, 0, mine.bounds.upper, last_point);
  set_part(part, nest, depth, first_point, last_point);
  if (last) *last = mine.last;
  return 1;
}

#undef TULLE_POINT

}  // namespace tulle::kmp
