// SPDX-License-Identifier: Apache-2.0
//
// Atomic updates by a function of the compiler's (__kmpc_atomic_N), compare and exchange
// (__kmpc_atomic_{bool,val}_N_cas). The function gets (result, location's value, operand).
#include "abi/kmp/atomic_update.h"
#include "abi/kmp/layout.h"

namespace tulle::kmp {
namespace {

using Combine = void (*)(void* result, void* value, void* operand);

template <class T>
void update_by(void* location, void* operand, Combine combine) {
  auto* x = static_cast<Bits<T>*>(location);
  Bits<T> seen = __atomic_load_n(x, __ATOMIC_ACQUIRE);
  for (;;) {
    Bits<T> value = seen;
    Bits<T> result = 0;
    combine(&result, &value, operand);
    if (__atomic_compare_exchange_n(x, &seen, result, true, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE))
      return;
  }
}

void update_wide_by(void* location, void* operand, Combine combine) {
  omp::WideAtomicGuard guard(location);
  combine(location, location, operand);
}

// The value that was there; `expected` if the exchange took place.
template <class T>
T compare_exchange(T* x, T expected, T desired) {
  __atomic_compare_exchange_n(x, &expected, desired, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return expected;
}

}  // namespace

#define TULLE_ATOMIC_BY(N, T)                                                                 \
  TULLE_KMP void __kmpc_atomic_##N(Ident*, int32_t, void* x, void* operand, Combine combine) { \
    update_by<T>(x, operand, combine);                                                        \
  }
#define TULLE_ATOMIC_WIDE_BY(N)                                                               \
  TULLE_KMP void __kmpc_atomic_##N(Ident*, int32_t, void* x, void* operand, Combine combine) { \
    update_wide_by(x, operand, combine);                                                      \
  }

TULLE_ATOMIC_BY(1, uint8_t)
TULLE_ATOMIC_BY(2, uint16_t)
TULLE_ATOMIC_BY(4, uint32_t)
TULLE_ATOMIC_BY(8, uint64_t)
TULLE_ATOMIC_WIDE_BY(10)
TULLE_ATOMIC_WIDE_BY(16)
TULLE_ATOMIC_WIDE_BY(20)
TULLE_ATOMIC_WIDE_BY(32)

#define TULLE_ATOMIC_CAS(N, T)                                                                  \
  TULLE_KMP bool __kmpc_atomic_bool_##N##_cas(Ident*, int32_t, T* x, T expected, T desired) {   \
    return compare_exchange(x, expected, desired) == expected;                                  \
  }                                                                                             \
  TULLE_KMP bool __kmpc_atomic_bool_##N##_cas_cpt(Ident*, int32_t, T* x, T expected, T desired, \
                                                  T* captured) {                                \
    const T before = compare_exchange(x, expected, desired);                                    \
    if (before != expected) *captured = before;                                                 \
    return before == expected;                                                                  \
  }                                                                                             \
  TULLE_KMP T __kmpc_atomic_val_##N##_cas(Ident*, int32_t, T* x, T expected, T desired) {       \
    return compare_exchange(x, expected, desired);                                              \
  }                                                                                             \
  TULLE_KMP T __kmpc_atomic_val_##N##_cas_cpt(Ident*, int32_t, T* x, T expected, T desired,     \
                                              T* captured) {                                    \
    const T before = compare_exchange(x, expected, desired);                                    \
    *captured = before == expected ? desired : before;                                          \
    return before;                                                                              \
  }

TULLE_ATOMIC_CAS(1, int8_t)
TULLE_ATOMIC_CAS(2, int16_t)
TULLE_ATOMIC_CAS(4, int32_t)
TULLE_ATOMIC_CAS(8, int64_t)

}  // namespace tulle::kmp
