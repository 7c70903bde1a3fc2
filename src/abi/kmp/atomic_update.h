// SPDX-License-Identifier: Apache-2.0
//
// The operations behind the __kmpc_atomic_* family. A location of up to eight bytes is updated by
// compare and exchange (or fetch-and-add where there is one); a wider one under a lock that its
// address chooses. A location is always updated in one of the two ways, because its type decides.
#pragma once

#include <cstdint>
#include <type_traits>

#include "omp/sync/wide_atomic.h"

namespace tulle::kmp {

typedef float Quad __attribute__((mode(TF)));  // binary128: __float128, or long double where that is it
using Complex4 = __complex__ float;
using Complex8 = __complex__ double;
using Complex10 = __complex__ long double;
typedef Complex4 Complex16 __attribute__((mode(TC)));

// Integer sums wrap, as the machine's do.
template <class T>
using Wrapping = std::conditional_t<std::is_integral_v<T>, uint64_t, T>;

// R is the type in which an operation is carried out: that of the wider operand.
struct Add {
  template <class R>
  static R apply(R a, R b) { return R(Wrapping<R>(a) + Wrapping<R>(b)); }
};
struct Sub {
  template <class R>
  static R apply(R a, R b) { return R(Wrapping<R>(a) - Wrapping<R>(b)); }
};
struct Mul {
  template <class R>
  static R apply(R a, R b) { return R(Wrapping<R>(a) * Wrapping<R>(b)); }
};
struct Div {
  template <class R>
  static R apply(R a, R b) { return R(a / b); }
};
struct BitAnd {
  template <class R>
  static R apply(R a, R b) { return R(a & b); }
};
struct BitOr {
  template <class R>
  static R apply(R a, R b) { return R(a | b); }
};
struct BitXor {
  template <class R>
  static R apply(R a, R b) { return R(a ^ b); }
};
struct BitEqv {
  template <class R>
  static R apply(R a, R b) { return R(~(a ^ b)); }
};
struct And {
  template <class R>
  static R apply(R a, R b) { return R(a && b); }
};
struct Or {
  template <class R>
  static R apply(R a, R b) { return R(a || b); }
};
struct ShiftLeft {
  template <class R>
  static R apply(R a, R b) { return R(uint64_t(a) << (b & 63)); }
};
struct ShiftRight {
  template <class R>
  static R apply(R a, R b) { return R(a >> (b & 63)); }
};
struct Min {
  template <class R>
  static R apply(R a, R b) { return b < a ? b : a; }
};
struct Max {
  template <class R>
  static R apply(R a, R b) { return a < b ? b : a; }
};
struct Swap {
  template <class R>
  static R apply(R, R b) { return b; }
};

// x = v op x
template <class Op>
struct Reversed {
  template <class R>
  static R apply(R a, R b) { return Op::template apply<R>(b, a); }
};

template <class T>
struct Change {
  T before;
  T after;
};

namespace detail {

template <size_t N>
struct BitsOf;
template <>
struct BitsOf<1> { typedef uint8_t type __attribute__((may_alias)); };
template <>
struct BitsOf<2> { typedef uint16_t type __attribute__((may_alias)); };
template <>
struct BitsOf<4> { typedef uint32_t type __attribute__((may_alias)); };
template <>
struct BitsOf<8> { typedef uint64_t type __attribute__((may_alias)); };

template <class To, class From>
To bits(const From& from) {
  To to;
  static_assert(sizeof to == sizeof from);
  __builtin_memcpy(&to, &from, sizeof to);
  return to;
}

}  // namespace detail

template <class T>
using Bits = typename detail::BitsOf<sizeof(T)>::type;

template <class T>
inline constexpr bool is_wide = sizeof(T) > 8;

template <class T>
T load(const T* x) {
  if constexpr (is_wide<T>) {
    omp::WideAtomicGuard guard(x);
    return *x;
  } else {
    return detail::bits<T>(
        __atomic_load_n(reinterpret_cast<const Bits<T>*>(x), __ATOMIC_SEQ_CST));
  }
}

// *x = Op(*x, value), carried out in R.
template <class Op, class R, class T, class V>
Change<T> update(T* x, V value) {
  if constexpr (is_wide<T>) {
    omp::WideAtomicGuard guard(x);
    const T before = *x;
    *x = T(Op::template apply<R>(R(before), R(value)));
    return {before, *x};
  } else if constexpr (std::is_integral_v<R> && std::is_same_v<Op, Add>) {
    const T before = __atomic_fetch_add(x, T(value), __ATOMIC_SEQ_CST);
    return {before, Add::apply<T>(before, T(value))};
  } else if constexpr (std::is_same_v<Op, Swap>) {
    const Bits<T> before = __atomic_exchange_n(reinterpret_cast<Bits<T>*>(x),
                                               detail::bits<Bits<T>>(T(value)), __ATOMIC_SEQ_CST);
    return {detail::bits<T>(before), T(value)};
  } else {
    auto* word = reinterpret_cast<Bits<T>*>(x);
    Bits<T> seen = __atomic_load_n(word, __ATOMIC_RELAXED);  // relaxed: the exchange decides
    for (;;) {
      const T before = detail::bits<T>(seen);
      const T after = T(Op::template apply<R>(R(before), R(value)));
      if (__atomic_compare_exchange_n(word, &seen, detail::bits<Bits<T>>(after), true,
                                      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))
        return {before, after};
    }
  }
}

}  // namespace tulle::kmp
