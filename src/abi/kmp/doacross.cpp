// SPDX-License-Identifier: Apache-2.0
//
// Cross-iteration dependences of Clang's and Intel's loops: the nest's bounds are told before the loop
// begins, sources and sinks name values of the loop variables.
#include "abi/kmp/layout.h"
#include "omp/worksharing/doacross.h"

namespace tulle::kmp {

static_assert(sizeof(Dimension) == sizeof(omp::DoacrossDimension) &&
              offsetof(Dimension, upper) == offsetof(omp::DoacrossDimension, upper) &&
              offsetof(Dimension, stride) == offsetof(omp::DoacrossDimension, step));

TULLE_KMP void __kmpc_doacross_init(Ident*, int32_t, int32_t count, const Dimension* dimensions) {
  omp::doacross_begin(omp::self_or_attach(),
                      reinterpret_cast<const omp::DoacrossDimension*>(dimensions),
                      static_cast<uint32_t>(count));
}

TULLE_KMP void __kmpc_doacross_post(Ident*, int32_t, const int64_t* values) {
  omp::doacross_post(omp::self(), values);
}

TULLE_KMP void __kmpc_doacross_wait(Ident*, int32_t, const int64_t* values) {
  omp::doacross_wait(omp::self(), values);
}

TULLE_KMP void __kmpc_doacross_fini(Ident*, int32_t) { omp::doacross_end(omp::self()); }

}  // namespace tulle::kmp
