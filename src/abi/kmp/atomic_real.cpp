// SPDX-License-Identifier: Apache-2.0
//
// __kmpc_atomic_float*: atomic updates of real numbers of 4, 8, 10 (x87) and 16 (quad) bytes.
#include "abi/kmp/atomic_entry.h"

namespace tulle::kmp {

#define TULLE_ATOMIC_REAL(type, T)                  \
  TULLE_ATOMIC_FORWARD(type, add, T, T, T, Add)     \
  TULLE_ATOMIC_BOTH(type, sub, T, T, T, Sub)        \
  TULLE_ATOMIC_FORWARD(type, mul, T, T, T, Mul)     \
  TULLE_ATOMIC_BOTH(type, div, T, T, T, Div)        \
  TULLE_ATOMIC_FORWARD(type, min, T, T, T, Min)     \
  TULLE_ATOMIC_FORWARD(type, max, T, T, T, Max)     \
  TULLE_ATOMIC_ACCESS(type, T)                      \
  TULLE_ATOMIC_SWAP(type, T)

TULLE_ATOMIC_REAL(float4, float)
TULLE_ATOMIC_REAL(float8, double)
TULLE_ATOMIC_REAL(float10, long double)
TULLE_ATOMIC_REAL(float16, Quad)

TULLE_ATOMIC_QUAD_OPERANDS(float4, float)
TULLE_ATOMIC_QUAD_OPERANDS(float8, double)
TULLE_ATOMIC_QUAD_OPERANDS(float10, long double)

TULLE_ATOMIC_UPDATE(float4_add_float8, float, double, double, Add)
TULLE_ATOMIC_UPDATE(float4_sub_float8, float, double, double, Sub)
TULLE_ATOMIC_UPDATE(float4_mul_float8, float, double, double, Mul)
TULLE_ATOMIC_UPDATE(float4_div_float8, float, double, double, Div)

}  // namespace tulle::kmp
