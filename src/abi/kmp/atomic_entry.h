// SPDX-License-Identifier: Apache-2.0
//
// Macros that turn one row of a table into the entry points of the __kmpc_atomic_* family:
// __kmpc_atomic_<type>_<operation>[_cpt][_rev][_<type of the operand>]. The capturing forms return
// the new value if `after` is not 0, and the old one otherwise.
#pragma once

#include "abi/kmp/atomic_update.h"
#include "abi/kmp/layout.h"

#define TULLE_ATOMIC_UPDATE(symbol, T, V, R, Op)                             \
  TULLE_KMP void __kmpc_atomic_##symbol(Ident*, int32_t, T* x, V value) {    \
    update<Op, R>(x, value);                                                 \
  }

#define TULLE_ATOMIC_CAPTURE(symbol, T, V, R, Op)                                     \
  TULLE_KMP T __kmpc_atomic_##symbol(Ident*, int32_t, T* x, V value, int32_t after) { \
    const Change<T> change = update<Op, R>(x, value);                                 \
    return after ? change.after : change.before;                                      \
  }

// x = x op v
#define TULLE_ATOMIC_FORWARD(type, name, T, V, R, Op)  \
  TULLE_ATOMIC_UPDATE(type##_##name, T, V, R, Op)      \
  TULLE_ATOMIC_CAPTURE(type##_##name##_cpt, T, V, R, Op)

// x = v op x
#define TULLE_ATOMIC_REVERSE(type, name, T, V, R, Op)             \
  TULLE_ATOMIC_UPDATE(type##_##name##_rev, T, V, R, Reversed<Op>) \
  TULLE_ATOMIC_CAPTURE(type##_##name##_cpt_rev, T, V, R, Reversed<Op>)

#define TULLE_ATOMIC_BOTH(type, name, T, V, R, Op) \
  TULLE_ATOMIC_FORWARD(type, name, T, V, R, Op)    \
  TULLE_ATOMIC_REVERSE(type, name, T, V, R, Op)

// The same with a quad operand: the type of the operand ends the name.
#define TULLE_ATOMIC_QUAD_FORWARD(type, name, T, Op)     \
  TULLE_ATOMIC_UPDATE(type##_##name##_fp, T, Quad, Quad, Op) \
  TULLE_ATOMIC_CAPTURE(type##_##name##_cpt_fp, T, Quad, Quad, Op)

#define TULLE_ATOMIC_QUAD_BOTH(type, name, T, Op)                      \
  TULLE_ATOMIC_QUAD_FORWARD(type, name, T, Op)                         \
  TULLE_ATOMIC_UPDATE(type##_##name##_rev_fp, T, Quad, Quad, Reversed<Op>) \
  TULLE_ATOMIC_CAPTURE(type##_##name##_cpt_rev_fp, T, Quad, Quad, Reversed<Op>)

#define TULLE_ATOMIC_QUAD_OPERANDS(type, T)      \
  TULLE_ATOMIC_QUAD_FORWARD(type, add, T, Add)   \
  TULLE_ATOMIC_QUAD_BOTH(type, sub, T, Sub)      \
  TULLE_ATOMIC_QUAD_FORWARD(type, mul, T, Mul)   \
  TULLE_ATOMIC_QUAD_BOTH(type, div, T, Div)

#define TULLE_ATOMIC_ACCESS(type, T)                                           \
  TULLE_KMP T __kmpc_atomic_##type##_rd(Ident*, int32_t, const T* x) {         \
    return load(x);                                                            \
  }                                                                            \
  TULLE_KMP void __kmpc_atomic_##type##_wr(Ident*, int32_t, T* x, T value) {   \
    update<Swap, T>(x, value);                                                 \
  }

#define TULLE_ATOMIC_SWAP(type, T)                                             \
  TULLE_KMP T __kmpc_atomic_##type##_swp(Ident*, int32_t, T* x, T value) {     \
    return update<Swap, T>(x, value).before;                                   \
  }
