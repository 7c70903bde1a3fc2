// SPDX-License-Identifier: Apache-2.0
//
// Collapsed loop nests whose bounds may depend on an outer loop's variable: canonical bounds, counting
// iterations, finding the n-th. Pure functions over the caller's arrays. An iteration of the nest is
// found by walking the outer loops; the innermost one is only counted.
#pragma once

#include <cstdint>

#include "abi/kmp/layout.h"

namespace tulle::kmp {

// Values are kept as 64 bits, extended by sign for signed types, as in LoopBounds.
inline bool is_signed(int32_t type) { return type & 1; }  // LoopType alternates

inline unsigned bits_of(int32_t type) { return 8u << (type / 2); }

// `value` as a variable of the type would hold it.
uint64_t narrow(uint64_t value, int32_t type);

// Replaces <, > and != by <= and >=.
void make_canonical(LoopBounds& bounds);

// Iterations of one loop, whose outer variables have the values `ivs`.
uint64_t trips_of(const LoopBounds& bounds, const uint64_t* ivs);

// The value of its variable in iteration `index`.
uint64_t value_at(const LoopBounds& bounds, const uint64_t* ivs, uint64_t index);

// Iterations of the loops from `level` on.
uint64_t count_nest(const LoopBounds* nest, int32_t depth, int32_t level, uint64_t* ivs);

// Sets ivs[level...] to iteration `index` of the loops from `level` on, of which there are more.
void find_in_nest(const LoopBounds* nest, int32_t depth, int32_t level, uint64_t index,
                  uint64_t* ivs);

}  // namespace tulle::kmp
