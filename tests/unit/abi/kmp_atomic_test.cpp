// SPDX-License-Identifier: Apache-2.0
//
// The __kmpc_atomic_* family: values against plain computation, every width and form, and sums of
// several threads.
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <thread>
#include <vector>

#include "abi/kmp/atomic_update.h"
#include "abi/kmp/layout.h"

namespace {

using namespace tulle::kmp;
using Extended = long double;

}  // namespace

#define DECLARE(type, T)                                                               \
  extern "C" void __kmpc_atomic_##type##_add(Ident*, int32_t, T*, T);                  \
  extern "C" T __kmpc_atomic_##type##_add_cpt(Ident*, int32_t, T*, T, int32_t);        \
  extern "C" void __kmpc_atomic_##type##_sub_rev(Ident*, int32_t, T*, T);              \
  extern "C" T __kmpc_atomic_##type##_sub_cpt_rev(Ident*, int32_t, T*, T, int32_t);    \
  extern "C" void __kmpc_atomic_##type##_mul(Ident*, int32_t, T*, T);                  \
  extern "C" void __kmpc_atomic_##type##_div(Ident*, int32_t, T*, T);                  \
  extern "C" T __kmpc_atomic_##type##_swp(Ident*, int32_t, T*, T);                     \
  extern "C" T __kmpc_atomic_##type##_rd(Ident*, int32_t, const T*);                   \
  extern "C" void __kmpc_atomic_##type##_wr(Ident*, int32_t, T*, T);

#define DECLARE_ORDERED(type, T)                                                    \
  extern "C" void __kmpc_atomic_##type##_min(Ident*, int32_t, T*, T);               \
  extern "C" T __kmpc_atomic_##type##_max_cpt(Ident*, int32_t, T*, T, int32_t);

#define DECLARE_INTEGER(type, T, U)                                                 \
  DECLARE(type, T)                                                                  \
  DECLARE_ORDERED(type, T)                                                          \
  extern "C" void __kmpc_atomic_##type##_andb(Ident*, int32_t, T*, T);              \
  extern "C" void __kmpc_atomic_##type##_eqv(Ident*, int32_t, T*, T);               \
  extern "C" void __kmpc_atomic_##type##_neqv(Ident*, int32_t, T*, T);              \
  extern "C" void __kmpc_atomic_##type##_andl(Ident*, int32_t, T*, T);              \
  extern "C" void __kmpc_atomic_##type##_orl(Ident*, int32_t, T*, T);               \
  extern "C" void __kmpc_atomic_##type##_shl_rev(Ident*, int32_t, T*, T);           \
  extern "C" void __kmpc_atomic_##type##_shr(Ident*, int32_t, T*, T);               \
  extern "C" void __kmpc_atomic_##type##_mul_float8(Ident*, int32_t, T*, double);   \
  extern "C" void __kmpc_atomic_##type##_div_fp(Ident*, int32_t, T*, Quad);         \
  extern "C" void __kmpc_atomic_##type##u_div(Ident*, int32_t, U*, U);              \
  extern "C" void __kmpc_atomic_##type##u_shr(Ident*, int32_t, U*, U);

DECLARE_INTEGER(fixed1, int8_t, uint8_t)
DECLARE_INTEGER(fixed2, int16_t, uint16_t)
DECLARE_INTEGER(fixed4, int32_t, uint32_t)
DECLARE_INTEGER(fixed8, int64_t, uint64_t)
DECLARE(float4, float)
DECLARE(float8, double)
DECLARE(float10, Extended)
DECLARE(float16, Quad)
DECLARE(cmplx8, Complex8)
DECLARE(cmplx10, Complex10)
DECLARE_ORDERED(float4, float)
DECLARE_ORDERED(float8, double)
DECLARE_ORDERED(float10, Extended)
extern "C" void __kmpc_atomic_cmplx4_add(Ident*, int32_t, Complex4*, Complex4);
extern "C" void __kmpc_atomic_cmplx4_mul_cpt(Ident*, int32_t, Complex4*, Complex4, Complex4*,
                                             int32_t);
extern "C" void __kmpc_atomic_cmplx4_swp(Ident*, int32_t, Complex4*, Complex4, Complex4*);
extern "C" void __kmpc_atomic_cmplx4_add_cmplx8(Ident*, int32_t, Complex4*, Complex8);
extern "C" bool __kmpc_atomic_bool_4_cas(Ident*, int32_t, int32_t*, int32_t, int32_t);
extern "C" bool __kmpc_atomic_bool_4_cas_cpt(Ident*, int32_t, int32_t*, int32_t, int32_t, int32_t*);
extern "C" int32_t __kmpc_atomic_val_4_cas(Ident*, int32_t, int32_t*, int32_t, int32_t);
extern "C" int32_t __kmpc_atomic_val_4_cas_cpt(Ident*, int32_t, int32_t*, int32_t, int32_t,
                                               int32_t*);
extern "C" void __kmpc_atomic_4(Ident*, int32_t, void*, void*, void (*)(void*, void*, void*));
extern "C" void __kmpc_atomic_32(Ident*, int32_t, void*, void*, void (*)(void*, void*, void*));

namespace {

#define CHECK_COMMON(type, T)                                                        \
  TEST(KmpAtomic, type) {                                                            \
    T x = T(5);                                                                      \
    __kmpc_atomic_##type##_add(nullptr, 0, &x, T(3));                                \
    EXPECT_TRUE(x == T(8));                                                          \
    EXPECT_TRUE(__kmpc_atomic_##type##_add_cpt(nullptr, 0, &x, T(2), 1) == T(10));   \
    EXPECT_TRUE(__kmpc_atomic_##type##_add_cpt(nullptr, 0, &x, T(2), 0) == T(10));   \
    EXPECT_TRUE(x == T(12));                                                         \
    __kmpc_atomic_##type##_sub_rev(nullptr, 0, &x, T(20));                           \
    EXPECT_TRUE(x == T(8));                                                          \
    EXPECT_TRUE(__kmpc_atomic_##type##_sub_cpt_rev(nullptr, 0, &x, T(9), 1) == T(1)); \
    __kmpc_atomic_##type##_wr(nullptr, 0, &x, T(6));                                 \
    __kmpc_atomic_##type##_mul(nullptr, 0, &x, T(7));                                \
    EXPECT_TRUE(__kmpc_atomic_##type##_rd(nullptr, 0, &x) == T(42));                 \
    __kmpc_atomic_##type##_div(nullptr, 0, &x, T(2));                                \
    EXPECT_TRUE(__kmpc_atomic_##type##_swp(nullptr, 0, &x, T(3)) == T(21));          \
    EXPECT_TRUE(x == T(3));                                                          \
  }

CHECK_COMMON(fixed1, int8_t)
CHECK_COMMON(fixed2, int16_t)
CHECK_COMMON(fixed4, int32_t)
CHECK_COMMON(fixed8, int64_t)
CHECK_COMMON(float4, float)
CHECK_COMMON(float8, double)
CHECK_COMMON(float10, Extended)
CHECK_COMMON(float16, Quad)
CHECK_COMMON(cmplx8, Complex8)
CHECK_COMMON(cmplx10, Complex10)

#define CHECK_ORDERED(type, T)                                                       \
  TEST(KmpAtomicOrder, type) {                                                       \
    T x = T(5);                                                                      \
    __kmpc_atomic_##type##_min(nullptr, 0, &x, T(7));                                \
    EXPECT_EQ(x, T(5));                                                              \
    __kmpc_atomic_##type##_min(nullptr, 0, &x, T(-3));                               \
    EXPECT_EQ(x, T(-3));                                                             \
    EXPECT_EQ(__kmpc_atomic_##type##_max_cpt(nullptr, 0, &x, T(9), 0), T(-3));       \
    EXPECT_EQ(__kmpc_atomic_##type##_max_cpt(nullptr, 0, &x, T(2), 1), T(9));        \
  }

CHECK_ORDERED(fixed1, int8_t)
CHECK_ORDERED(fixed2, int16_t)
CHECK_ORDERED(fixed4, int32_t)
CHECK_ORDERED(fixed8, int64_t)
CHECK_ORDERED(float4, float)
CHECK_ORDERED(float8, double)
CHECK_ORDERED(float10, Extended)

#define CHECK_INTEGER(type, T, U)                                                      \
  TEST(KmpAtomicBits, type) {                                                          \
    std::mt19937_64 random(sizeof(T));                                                 \
    for (int i = 0; i < 1000; ++i) {                                                   \
      const T a = T(random()), b = T(random());                                        \
      const int by = int(random() % (8 * sizeof(T)));                                  \
      auto after = [a](auto call, auto operand) {                                      \
        T x = a;                                                                       \
        call(nullptr, 0, &x, operand);                                                 \
        return x;                                                                      \
      };                                                                               \
      EXPECT_EQ(after(__kmpc_atomic_##type##_add, b), T(U(a) + U(b)));                 \
      EXPECT_EQ(after(__kmpc_atomic_##type##_andb, b), T(a & b));                      \
      EXPECT_EQ(after(__kmpc_atomic_##type##_neqv, b), T(a ^ b));                      \
      EXPECT_EQ(after(__kmpc_atomic_##type##_eqv, b), T(~(a ^ b)));                    \
      EXPECT_EQ(after(__kmpc_atomic_##type##_andl, b), T(a && b));                     \
      EXPECT_EQ(after(__kmpc_atomic_##type##_orl, b), T(a || b));                      \
      EXPECT_EQ(after(__kmpc_atomic_##type##_shr, T(by)), T(a >> by));                 \
      U u = U(a);                                                                      \
      __kmpc_atomic_##type##u_shr(nullptr, 0, &u, U(by));                              \
      EXPECT_EQ(u, U(U(a) >> by));                                                     \
      u = U(a);                                                                        \
      __kmpc_atomic_##type##u_div(nullptr, 0, &u, U(by + 1));                          \
      EXPECT_EQ(u, U(U(a) / U(by + 1)));                                               \
    }                                                                                  \
    T x = 3;                                                                           \
    __kmpc_atomic_##type##_shl_rev(nullptr, 0, &x, T(1));                              \
    EXPECT_EQ(x, T(8));                                                                \
    __kmpc_atomic_##type##_mul_float8(nullptr, 0, &x, 1.45);                           \
    EXPECT_EQ(x, T(11));                                                               \
    __kmpc_atomic_##type##_div_fp(nullptr, 0, &x, Quad(2.5));                          \
    EXPECT_EQ(x, T(4));                                                                \
  }

CHECK_INTEGER(fixed1, int8_t, uint8_t)
CHECK_INTEGER(fixed2, int16_t, uint16_t)
CHECK_INTEGER(fixed4, int32_t, uint32_t)
CHECK_INTEGER(fixed8, int64_t, uint64_t)

TEST(KmpAtomicComplex, SmallestReturnsThroughPointer) {
  Complex4 x = Complex4{1, 2}, out{};
  __kmpc_atomic_cmplx4_add(nullptr, 0, &x, Complex4{1, 1});
  EXPECT_TRUE((x == Complex4{2, 3}));
  __kmpc_atomic_cmplx4_mul_cpt(nullptr, 0, &x, Complex4{0, 1}, &out, 1);
  EXPECT_TRUE((out == Complex4{-3, 2}));
  __kmpc_atomic_cmplx4_swp(nullptr, 0, &x, Complex4{9, 9}, &out);
  EXPECT_TRUE((out == Complex4{-3, 2} && x == Complex4{9, 9}));
  __kmpc_atomic_cmplx4_add_cmplx8(nullptr, 0, &x, Complex8{0.5, -0.5});
  EXPECT_TRUE((x == Complex4{9.5f, 8.5f}));
}

TEST(KmpAtomicExchange, TellsWhatItFound) {
  int32_t x = 1, captured = 77;
  EXPECT_TRUE(__kmpc_atomic_bool_4_cas(nullptr, 0, &x, 1, 5));
  EXPECT_EQ(x, 5);
  EXPECT_FALSE(__kmpc_atomic_bool_4_cas_cpt(nullptr, 0, &x, 1, 6, &captured));
  EXPECT_EQ(captured, 5);
  captured = 77;
  EXPECT_TRUE(__kmpc_atomic_bool_4_cas_cpt(nullptr, 0, &x, 5, 6, &captured));
  EXPECT_EQ(captured, 77);
  EXPECT_EQ(__kmpc_atomic_val_4_cas(nullptr, 0, &x, 6, 7), 6);
  EXPECT_EQ(__kmpc_atomic_val_4_cas_cpt(nullptr, 0, &x, 7, 8, &captured), 7);
  EXPECT_EQ(captured, 8);
  EXPECT_EQ(__kmpc_atomic_val_4_cas_cpt(nullptr, 0, &x, 7, 9, &captured), 8);
  EXPECT_EQ(captured, 8);
}

constexpr int kThreads = 4;
constexpr int kRounds = 20000;

template <class Body>
void run_threads(Body body) {
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) body();
    });
  for (std::thread& thread : threads) thread.join();
}

TEST(KmpAtomicThreads, NoUpdateIsLost) {
  int8_t small = 0;
  float single = 0;
  Complex10 wide = 0;
  run_threads([&] {
    __kmpc_atomic_fixed1_add(nullptr, 0, &small, 1);
    __kmpc_atomic_float4_add(nullptr, 0, &single, 1);
    __kmpc_atomic_cmplx10_add(nullptr, 0, &wide, Complex10{1, 2});
  });
  EXPECT_EQ(small, int8_t(kThreads * kRounds));
  EXPECT_EQ(single, float(kThreads * kRounds));
  EXPECT_TRUE((wide == Complex10{kThreads * kRounds, 2 * kThreads * kRounds}));
}

TEST(KmpAtomicThreads, NoUpdateByAFunctionIsLost) {
  struct Wide {
    int64_t words[4];
  };
  int32_t narrow = 0;
  Wide wide{};
  run_threads([&] {
    int32_t one = 1;
    __kmpc_atomic_4(nullptr, 0, &narrow, &one, [](void* result, void* value, void* operand) {
      *static_cast<int32_t*>(result) =
          *static_cast<int32_t*>(value) + *static_cast<int32_t*>(operand);
    });
    Wide step{{1, 2, 3, 4}};
    __kmpc_atomic_32(nullptr, 0, &wide, &step, [](void* result, void* value, void* operand) {
      for (int i = 0; i < 4; ++i)
        static_cast<Wide*>(result)->words[i] =
            static_cast<Wide*>(value)->words[i] + static_cast<Wide*>(operand)->words[i];
    });
  });
  EXPECT_EQ(narrow, kThreads * kRounds);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(wide.words[i], int64_t{i + 1} * kThreads * kRounds);
}

}  // namespace
