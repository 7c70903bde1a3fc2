// SPDX-License-Identifier: Apache-2.0
//
// __kmpc_atomic_fixed*: atomic updates of integers of one to eight bytes. The signed table serves
// unsigned operands too wherever the result has the same bits.
#include "abi/kmp/atomic_entry.h"

namespace tulle::kmp {

#define TULLE_ATOMIC_SIGNED(type, T)                       \
  TULLE_ATOMIC_FORWARD(type, add, T, T, T, Add)            \
  TULLE_ATOMIC_BOTH(type, sub, T, T, T, Sub)               \
  TULLE_ATOMIC_FORWARD(type, mul, T, T, T, Mul)            \
  TULLE_ATOMIC_BOTH(type, div, T, T, T, Div)               \
  TULLE_ATOMIC_FORWARD(type, andb, T, T, T, BitAnd)        \
  TULLE_ATOMIC_FORWARD(type, orb, T, T, T, BitOr)          \
  TULLE_ATOMIC_FORWARD(type, xor, T, T, T, BitXor)         \
  TULLE_ATOMIC_FORWARD(type, neqv, T, T, T, BitXor)        \
  TULLE_ATOMIC_FORWARD(type, eqv, T, T, T, BitEqv)         \
  TULLE_ATOMIC_FORWARD(type, andl, T, T, T, And)           \
  TULLE_ATOMIC_FORWARD(type, orl, T, T, T, Or)             \
  TULLE_ATOMIC_FORWARD(type, min, T, T, T, Min)            \
  TULLE_ATOMIC_FORWARD(type, max, T, T, T, Max)            \
  TULLE_ATOMIC_BOTH(type, shl, T, T, T, ShiftLeft)         \
  TULLE_ATOMIC_BOTH(type, shr, T, T, T, ShiftRight)        \
  TULLE_ATOMIC_UPDATE(type##_mul_float8, T, double, double, Mul) \
  TULLE_ATOMIC_UPDATE(type##_div_float8, T, double, double, Div) \
  TULLE_ATOMIC_QUAD_OPERANDS(type, T)                      \
  TULLE_ATOMIC_ACCESS(type, T)                             \
  TULLE_ATOMIC_SWAP(type, T)

// The differences when the location is unsigned.
#define TULLE_ATOMIC_UNSIGNED(type, T)                     \
  TULLE_ATOMIC_BOTH(type, div, T, T, T, Div)               \
  TULLE_ATOMIC_BOTH(type, shr, T, T, T, ShiftRight)        \
  TULLE_ATOMIC_QUAD_OPERANDS(type, T)

TULLE_ATOMIC_SIGNED(fixed1, int8_t)
TULLE_ATOMIC_SIGNED(fixed2, int16_t)
TULLE_ATOMIC_SIGNED(fixed4, int32_t)
TULLE_ATOMIC_SIGNED(fixed8, int64_t)
TULLE_ATOMIC_UNSIGNED(fixed1u, uint8_t)
TULLE_ATOMIC_UNSIGNED(fixed2u, uint16_t)
TULLE_ATOMIC_UNSIGNED(fixed4u, uint32_t)
TULLE_ATOMIC_UNSIGNED(fixed8u, uint64_t)

}  // namespace tulle::kmp
