// SPDX-License-Identifier: Apache-2.0
//
// __kmpc_atomic_cmplx*: atomic updates of complex numbers whose parts have 4, 8, 10 or 16 bytes. The
// capturing forms of the smallest return through a pointer (as libomp 19 does).
#include "abi/kmp/atomic_entry.h"

namespace tulle::kmp {

#define TULLE_ATOMIC_COMPLEX(type, T)             \
  TULLE_ATOMIC_FORWARD(type, add, T, T, T, Add)   \
  TULLE_ATOMIC_BOTH(type, sub, T, T, T, Sub)      \
  TULLE_ATOMIC_FORWARD(type, mul, T, T, T, Mul)   \
  TULLE_ATOMIC_BOTH(type, div, T, T, T, Div)      \
  TULLE_ATOMIC_ACCESS(type, T)                    \
  TULLE_ATOMIC_SWAP(type, T)

TULLE_ATOMIC_COMPLEX(cmplx8, Complex8)
TULLE_ATOMIC_COMPLEX(cmplx10, Complex10)
TULLE_ATOMIC_COMPLEX(cmplx16, Complex16)

#define TULLE_ATOMIC_CAPTURE_OUT(symbol, Op)                                                   \
  TULLE_KMP void __kmpc_atomic_cmplx4_##symbol(Ident*, int32_t, Complex4* x, Complex4 value,   \
                                               Complex4* out, int32_t after) {                 \
    const Change<Complex4> change = update<Op, Complex4>(x, value);                            \
    *out = after ? change.after : change.before;                                               \
  }

TULLE_ATOMIC_UPDATE(cmplx4_add, Complex4, Complex4, Complex4, Add)
TULLE_ATOMIC_UPDATE(cmplx4_sub, Complex4, Complex4, Complex4, Sub)
TULLE_ATOMIC_UPDATE(cmplx4_mul, Complex4, Complex4, Complex4, Mul)
TULLE_ATOMIC_UPDATE(cmplx4_div, Complex4, Complex4, Complex4, Div)
TULLE_ATOMIC_UPDATE(cmplx4_sub_rev, Complex4, Complex4, Complex4, Reversed<Sub>)
TULLE_ATOMIC_UPDATE(cmplx4_div_rev, Complex4, Complex4, Complex4, Reversed<Div>)
TULLE_ATOMIC_UPDATE(cmplx4_add_cmplx8, Complex4, Complex8, Complex8, Add)
TULLE_ATOMIC_UPDATE(cmplx4_sub_cmplx8, Complex4, Complex8, Complex8, Sub)
TULLE_ATOMIC_UPDATE(cmplx4_mul_cmplx8, Complex4, Complex8, Complex8, Mul)
TULLE_ATOMIC_UPDATE(cmplx4_div_cmplx8, Complex4, Complex8, Complex8, Div)
TULLE_ATOMIC_CAPTURE_OUT(add_cpt, Add)
TULLE_ATOMIC_CAPTURE_OUT(sub_cpt, Sub)
TULLE_ATOMIC_CAPTURE_OUT(mul_cpt, Mul)
TULLE_ATOMIC_CAPTURE_OUT(div_cpt, Div)
TULLE_ATOMIC_CAPTURE_OUT(sub_cpt_rev, Reversed<Sub>)
TULLE_ATOMIC_CAPTURE_OUT(div_cpt_rev, Reversed<Div>)
TULLE_ATOMIC_ACCESS(cmplx4, Complex4)

TULLE_KMP void __kmpc_atomic_cmplx4_swp(Ident*, int32_t, Complex4* x, Complex4 value,
                                        Complex4* out) {
  *out = update<Swap, Complex4>(x, value).before;
}

}  // namespace tulle::kmp
