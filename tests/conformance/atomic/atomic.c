// SPDX-License-Identifier: Apache-2.0
// atomic read, write, update, capture and compare on integers and floats of each size, with the
// memory order clauses (OpenMP 5.2 §15.8.4).
#include <omp.h>
#include "expect.h"

enum { rounds = 200 };

#define CHECK_SUM(type)                                               \
  do {                                                                \
    type sum = 0, down = (type)100;                                   \
    int n = 0, mistakes = 0;                                          \
    _Pragma("omp parallel reduction(+ : n, mistakes)") {              \
      n++;                                                            \
      for (int i = 0; i < rounds; i++) {                              \
        type before, after;                                           \
        _Pragma("omp atomic") sum += 1;                               \
        _Pragma("omp atomic capture") before = down++;                \
        _Pragma("omp atomic capture seq_cst") { down -= 1; after = down; } \
        (void)before, (void)after;                                    \
        _Pragma("omp atomic read acquire") after = sum;               \
        mistakes += sizeof(type) > 2 && after < 1;                    \
      }                                                               \
    }                                                                 \
    type wanted = (type)(n * rounds);                                 \
    EXPECT(sum == wanted, "for " #type);                              \
    EXPECT(down == (type)100, "for " #type);                          \
    EXPECT_EQ(mistakes, 0);                                           \
  } while (0)

static void check_operators(void) {
  unsigned bits = 0, mask = ~0u, flips = 0;
  long product = 1;
  double half = 1024;
  int n = 0;
#pragma omp parallel reduction(+ : n)
  {
    unsigned bit = 1u << omp_get_thread_num() % 32;
    n++;
#pragma omp atomic
    bits |= bit;
#pragma omp atomic
    mask &= ~bit;
#pragma omp atomic update relaxed
    flips ^= 5;
#pragma omp atomic
    product = 3 * product;
#pragma omp atomic
    half = half / 2;
  }
  long wanted = 1;
  double wanted_half = 1024;
  for (int i = 0; i < n; i++) wanted = (long)(3ul * (unsigned long)wanted), wanted_half /= 2;
  unsigned all = n >= 32 ? ~0u : (1u << n) - 1;
  EXPECT_EQ(bits, all);
  EXPECT_EQ(mask, ~all);
  EXPECT_EQ(flips, n % 2 ? 5 : 0);
  EXPECT_EQ(product, wanted);
  EXPECT(half == wanted_half, "%g, not %g", half, wanted_half);
}

static void check_compare(void) {
  int winner = -1, wins = 0, largest = -1;
#pragma omp parallel reduction(+ : wins)
  {
    int self = omp_get_thread_num(), seen;
#pragma omp atomic compare capture
    {
      seen = winner;
      if (winner == -1) { winner = self; }
    }
    wins += seen == -1;
#pragma omp atomic compare
    if (largest < self) { largest = self; }
#pragma omp barrier
    EXPECT_EQ(largest, omp_get_num_threads() - 1);
  }
  EXPECT_EQ(wins, 1);
}

int main(void) {
  CHECK_SUM(unsigned char);
  CHECK_SUM(short);
  CHECK_SUM(int);
  CHECK_SUM(unsigned long long);
  CHECK_SUM(float);
  CHECK_SUM(double);
  check_operators();
  check_compare();
  return 0;
}
