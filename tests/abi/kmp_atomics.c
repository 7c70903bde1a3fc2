// SPDX-License-Identifier: Apache-2.0
// Each entry point of the __kmpc_atomic_* family, called once in each of its forms, against the plain
// computation: x = x op e; _rev: x = e op x; _cpt returns the new value or the old one.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "expect.h"

typedef __float128 quad;
typedef long double extended;
typedef _Complex float complex4;
typedef _Complex double complex8;
typedef _Complex long double complex10;
typedef _Complex _Float128 complex16;

static int entries;

#define SAME(what, got, wanted) \
  do {                          \
    entries++;                  \
    EXPECT((got) == (wanted), "%s", #what); \
  } while (0)

// An entry whose operand is of type E; value: of a and b.
#define PLAIN(entry, T, E, first, second, value)    \
  do {                                              \
    void entry(void *, int32_t, T *, E);            \
    T a = (first);                                  \
    E b = (second);                                 \
    T x = a;                                        \
    entry(NULL, 0, &x, b);                          \
    SAME(entry, x, (T)(value));                     \
  } while (0)

#define CAPTURE(entry, T, E, first, second, value)  \
  do {                                              \
    T entry(void *, int32_t, T *, E, int32_t);      \
    T a = (first);                                  \
    E b = (second);                                 \
    T x = a;                                        \
    SAME(entry, entry(NULL, 0, &x, b, 0), a);       \
    SAME(entry, x, (T)(value));                     \
    x = a;                                          \
    SAME(entry, entry(NULL, 0, &x, b, 1), (T)(value)); \
  } while (0)

#define NAME(type, rest) __kmpc_atomic_##type##_##rest

#define BOTH(type, T, op, value)                    \
  PLAIN(NAME(type, op), T, T, 12, 3, value);        \
  CAPTURE(NAME(type, op##_cpt), T, T, 12, 3, value)

#define REVERSED(type, T, op, value)                \
  PLAIN(NAME(type, op##_rev), T, T, 3, 12, value);  \
  CAPTURE(NAME(type, op##_cpt_rev), T, T, 3, 12, value)

// Operands wider than the variable: the computation is in their type.
#define WIDE(type, T)                                                   \
  PLAIN(NAME(type, add_fp), T, quad, 12, 2.5, a + b);                   \
  PLAIN(NAME(type, sub_fp), T, quad, 12, 2.5, a - b);                   \
  PLAIN(NAME(type, mul_fp), T, quad, 12, 2.5, a * b);                   \
  PLAIN(NAME(type, div_fp), T, quad, 12, 2.5, a / b);                   \
  PLAIN(NAME(type, sub_rev_fp), T, quad, 3, 12.5, b - a);               \
  PLAIN(NAME(type, div_rev_fp), T, quad, 3, 12.5, b / a);               \
  CAPTURE(NAME(type, add_cpt_fp), T, quad, 12, 2.5, a + b);             \
  CAPTURE(NAME(type, sub_cpt_fp), T, quad, 12, 2.5, a - b);             \
  CAPTURE(NAME(type, mul_cpt_fp), T, quad, 12, 2.5, a * b);             \
  CAPTURE(NAME(type, div_cpt_fp), T, quad, 12, 2.5, a / b);             \
  CAPTURE(NAME(type, sub_cpt_rev_fp), T, quad, 3, 12.5, b - a);         \
  CAPTURE(NAME(type, div_cpt_rev_fp), T, quad, 3, 12.5, b / a)

#define ARITHMETIC(type, T)           \
  BOTH(type, T, add, a + b);          \
  BOTH(type, T, sub, a - b);          \
  BOTH(type, T, mul, a * b);          \
  BOTH(type, T, div, a / b);          \
  REVERSED(type, T, sub, b - a);      \
  REVERSED(type, T, div, b / a)

#define ORDERED(type, T)              \
  BOTH(type, T, min, a < b ? a : b);  \
  BOTH(type, T, max, a > b ? a : b)

#define READ_WRITE(type, T)                             \
  do {                                                  \
    T NAME(type, rd)(void *, int32_t, T *);             \
    T NAME(type, swp)(void *, int32_t, T *, T);         \
    T x = 12;                                           \
    SAME(type##_rd, NAME(type, rd)(NULL, 0, &x), 12);   \
    SAME(type##_swp, NAME(type, swp)(NULL, 0, &x, 3), 12); \
    SAME(type##_swp, x, 3);                             \
  } while (0);                                          \
  PLAIN(NAME(type, wr), T, T, 12, 3, b)

#define INTEGER(type, T, U)                             \
  static void check_##type(void) {                      \
    ARITHMETIC(type, T);                                \
    ORDERED(type, T);                                   \
    READ_WRITE(type, T);                                \
    BOTH(type, T, andb, a & b);                         \
    BOTH(type, T, orb, a | b);                          \
    BOTH(type, T, xor, a ^ b);                          \
    BOTH(type, T, neqv, a ^ b);                         \
    BOTH(type, T, eqv, a ^ ~b);                         \
    BOTH(type, T, andl, a && b);                        \
    BOTH(type, T, orl, a || b);                         \
    BOTH(type, T, shl, a << b);                         \
    BOTH(type, T, shr, a >> b);                         \
    REVERSED(type, T, shl, b << a);                     \
    REVERSED(type, T, shr, b >> a);                     \
    PLAIN(NAME(type, mul_float8), T, double, 12, 2.5, a * b); \
    PLAIN(NAME(type, div_float8), T, double, 12, 2.5, a / b); \
    WIDE(type, T);                                      \
  }                                                     \
  static void check_##type##u(void) {                   \
    BOTH(type##u, U, div, a / b);                       \
    BOTH(type##u, U, shr, a >> b);                      \
    REVERSED(type##u, U, div, b / a);                   \
    REVERSED(type##u, U, shr, b >> a);                  \
    WIDE(type##u, U);                                   \
  }

INTEGER(fixed1, int8_t, uint8_t)
INTEGER(fixed2, int16_t, uint16_t)
INTEGER(fixed4, int32_t, uint32_t)
INTEGER(fixed8, int64_t, uint64_t)

#define REAL(type, T)            \
  static void check_##type(void) { \
    ARITHMETIC(type, T);         \
    ORDERED(type, T);            \
    READ_WRITE(type, T);         \
    WIDE(type, T);               \
  }
REAL(float4, float)
REAL(float8, double)
REAL(float10, extended)

static void check_float16(void) {
  ARITHMETIC(float16, quad);
  ORDERED(float16, quad);
  READ_WRITE(float16, quad);
}

static void check_mixed(void) {
  PLAIN(NAME(float4, add_float8), float, double, 12, 2.5, a + b);
  PLAIN(NAME(float4, sub_float8), float, double, 12, 2.5, a - b);
  PLAIN(NAME(float4, mul_float8), float, double, 12, 2.5, a * b);
  PLAIN(NAME(float4, div_float8), float, double, 12, 2.5, a / b);
  PLAIN(NAME(cmplx4, add_cmplx8), complex4, complex8, 12, 2.5, a + b);
  PLAIN(NAME(cmplx4, sub_cmplx8), complex4, complex8, 12, 2.5, a - b);
  PLAIN(NAME(cmplx4, mul_cmplx8), complex4, complex8, 12, 2.5, a * b);
  PLAIN(NAME(cmplx4, div_cmplx8), complex4, complex8, 12, 2.5, a / b);
}

#define COMPLEX(type, T)           \
  static void check_##type(void) { \
    ARITHMETIC(type, T);           \
    READ_WRITE(type, T);           \
  }
COMPLEX(cmplx8, complex8)
COMPLEX(cmplx10, complex10)
COMPLEX(cmplx16, complex16)

// Captured by reference, a complex number of two floats having no register of its own.
#define CAPTURE_BY_REFERENCE(entry, first, second, value)                  \
  do {                                                                     \
    void entry(void *, int32_t, complex4 *, complex4, complex4 *, int32_t); \
    complex4 a = (first), b = (second), x = a, out = 0;                    \
    entry(NULL, 0, &x, b, &out, 0);                                        \
    SAME(entry, out, a);                                                   \
    SAME(entry, x, value);                                                 \
    x = a;                                                                 \
    entry(NULL, 0, &x, b, &out, 1);                                        \
    SAME(entry, out, value);                                               \
  } while (0)

static void check_cmplx4(void) {
  complex4 NAME(cmplx4, rd)(void *, int32_t, complex4 *);
  void NAME(cmplx4, swp)(void *, int32_t, complex4 *, complex4, complex4 *);
  PLAIN(NAME(cmplx4, add), complex4, complex4, 12, 3, a + b);
  PLAIN(NAME(cmplx4, sub), complex4, complex4, 12, 3, a - b);
  PLAIN(NAME(cmplx4, mul), complex4, complex4, 12, 3, a * b);
  PLAIN(NAME(cmplx4, div), complex4, complex4, 12, 3, a / b);
  PLAIN(NAME(cmplx4, sub_rev), complex4, complex4, 3, 12, b - a);
  PLAIN(NAME(cmplx4, div_rev), complex4, complex4, 3, 12, b / a);
  PLAIN(NAME(cmplx4, wr), complex4, complex4, 12, 3, b);
  CAPTURE_BY_REFERENCE(NAME(cmplx4, add_cpt), 12, 3, a + b);
  CAPTURE_BY_REFERENCE(NAME(cmplx4, sub_cpt), 12, 3, a - b);
  CAPTURE_BY_REFERENCE(NAME(cmplx4, mul_cpt), 12, 3, a * b);
  CAPTURE_BY_REFERENCE(NAME(cmplx4, div_cpt), 12, 3, a / b);
  CAPTURE_BY_REFERENCE(NAME(cmplx4, sub_cpt_rev), 3, 12, b - a);
  CAPTURE_BY_REFERENCE(NAME(cmplx4, div_cpt_rev), 3, 12, b / a);
  complex4 x = 12, out = 0;
  SAME(cmplx4_rd, NAME(cmplx4, rd)(NULL, 0, &x), 12);
  NAME(cmplx4, swp)(NULL, 0, &x, 3, &out);
  SAME(cmplx4_swp, out, 12);
  SAME(cmplx4_swp, x, 3);
}

// Compare and exchange: whether it was done; the value before; both, with the captured value.
#define COMPARE(bytes, T)                                                                     \
  static void check_cas_##bytes(void) {                                                       \
    bool __kmpc_atomic_bool_##bytes##_cas(void *, int32_t, T *, T, T);                        \
    bool __kmpc_atomic_bool_##bytes##_cas_cpt(void *, int32_t, T *, T, T, T *);               \
    T __kmpc_atomic_val_##bytes##_cas(void *, int32_t, T *, T, T);                            \
    T __kmpc_atomic_val_##bytes##_cas_cpt(void *, int32_t, T *, T, T, T *);                   \
    T x = 5, out = 0;                                                                         \
    SAME(bool_cas, __kmpc_atomic_bool_##bytes##_cas(NULL, 0, &x, 4, 6), false);               \
    SAME(bool_cas, __kmpc_atomic_bool_##bytes##_cas(NULL, 0, &x, 5, 6), true);                \
    SAME(bool_cas_cpt, __kmpc_atomic_bool_##bytes##_cas_cpt(NULL, 0, &x, 5, 7, &out), false); \
    SAME(bool_cas_cpt, out, 6);                                                               \
    SAME(val_cas, __kmpc_atomic_val_##bytes##_cas(NULL, 0, &x, 6, 8), 6);                     \
    SAME(val_cas, x, 8);                                                                      \
    SAME(val_cas_cpt, __kmpc_atomic_val_##bytes##_cas_cpt(NULL, 0, &x, 9, 1, &out), 8);       \
    SAME(val_cas_cpt, out, 8);                                                                \
  }
COMPARE(1, int8_t)
COMPARE(2, int16_t)
COMPARE(4, int32_t)
COMPARE(8, int64_t)

// Any operation on any object of a size.
#define ANY_SIZE(bytes)                                                                 \
  static void combine_##bytes(void *out, void *left, void *right) {                     \
    for (int i = 0; i < bytes; i++)                                                     \
      ((unsigned char *)out)[i] = ((unsigned char *)left)[i] ^ ((unsigned char *)right)[i]; \
  }                                                                                     \
  static void check_any_##bytes(void) {                                                 \
    void __kmpc_atomic_##bytes(void *, int32_t, void *, void *,                         \
                               void (*)(void *, void *, void *));                       \
    _Alignas(16) unsigned char x[bytes], right[bytes];                                  \
    memset(x, 0x5a, bytes);                                                             \
    memset(right, 0x0f, bytes);                                                         \
    __kmpc_atomic_##bytes(NULL, 0, x, right, combine_##bytes);                          \
    for (int i = 0; i < bytes; i++) SAME(atomic_##bytes, x[i], 0x55);                   \
  }
ANY_SIZE(1)
ANY_SIZE(2)
ANY_SIZE(4)
ANY_SIZE(8)
ANY_SIZE(10)
ANY_SIZE(16)
ANY_SIZE(20)
ANY_SIZE(32)

static void check_fallback(void) {
  void __kmpc_atomic_start(void), __kmpc_atomic_end(void);
  int sum = 0;
#pragma omp parallel for num_threads(4)
  for (int i = 0; i < 1000; i++) {
    __kmpc_atomic_start();
    sum++;
    __kmpc_atomic_end();
  }
  SAME(atomic_start, sum, 1000);
}

int main(void) {
  check_fixed1(), check_fixed1u(), check_fixed2(), check_fixed2u();
  check_fixed4(), check_fixed4u(), check_fixed8(), check_fixed8u();
  check_float4(), check_float8(), check_float10(), check_float16();
  check_mixed();
  check_cmplx4(), check_cmplx8(), check_cmplx10(), check_cmplx16();
  check_cas_1(), check_cas_2(), check_cas_4(), check_cas_8();
  check_any_1(), check_any_2(), check_any_4(), check_any_8();
  check_any_10(), check_any_16(), check_any_20(), check_any_32();
  check_fallback();
  return entries == 0;
}
