// SPDX-License-Identifier: Apache-2.0
// Every predefined reduction identifier, on regions, loops and sections, on several types and many
// list items at once (OpenMP 5.2 §5.5.5).
#include <omp.h>
#include "expect.h"

enum { trips = 333 };

static void check_integers(void) {
  int sum = 10, smallest = 1000, largest = -1000, any = 0, all = 1;
  unsigned ands = ~0u, ors = 0, xors = 9;
  long long product = 3;
  short minus = 4;
  char few = 1;
#pragma omp parallel for schedule(dynamic, 7) reduction(+ : sum, few) reduction(min : smallest) \
    reduction(max : largest) reduction(|| : any) reduction(&& : all) reduction(& : ands)        \
    reduction(| : ors) reduction(^ : xors) reduction(* : product)
  for (int i = 0; i < trips; i++) {
    sum += i;
    if (i - 100 < smallest) smallest = i - 100;
    if (i * 2 > largest) largest = i * 2;
    any = any || i == 200;
    all = all && i != 300;
    ands &= ~(1u << i % 5);
    ors |= 1u << i % 9;
    xors ^= i;
    product *= i % 31 == 0 ? 2 : 1;
    few += i % 100 == 0;
  }
  unsigned xor_wanted = 9;
  for (int i = 0; i < trips; i++) xor_wanted ^= i;
#pragma omp parallel reduction(+ : minus)
  minus += 1;
  EXPECT_EQ(sum, 10 + trips * (trips - 1) / 2);
  EXPECT_EQ(smallest, -100);
  EXPECT_EQ(largest, 2 * (trips - 1));
  EXPECT_EQ(any, 1);
  EXPECT_EQ(all, 0);
  EXPECT_EQ(ands, ~31u);
  EXPECT_EQ(ors, 511);
  EXPECT_EQ(xors, xor_wanted);
  EXPECT_EQ(product, 3LL << 11);
  EXPECT_EQ(few, 5);
  EXPECT(minus > 4, "%d", minus);
}

static void check_floats(void) {
  float single = 0.5f, low = 1e9f;
  double real = 0, factor = 1, high = -1e9;
  long double extended = 0;
  _Complex double plane = 0;
#pragma omp parallel for schedule(guided) reduction(+ : single, real, extended, plane) \
    reduction(* : factor) reduction(min : low) reduction(max : high)
  for (int i = 0; i < trips; i++) {
    single += 1;
    real += 0.25 * i;
    extended += 0.5L;
    plane += 1 + 2.0i;
    factor *= i % 50 == 0 ? 2 : 1;
    if (i - 0.5f < low) low = i - 0.5f;
    if (i > high) high = i;
  }
  EXPECT(single == trips + 0.5f, "%g", single);
  EXPECT(real == 0.25 * (trips * (trips - 1) / 2), "%g", real);
  EXPECT(extended == 0.5L * trips, "%Lg", extended);
  EXPECT(plane == trips * (1 + 2.0i), "%g", __real__ plane);
  EXPECT(factor == 128, "%g", factor);
  EXPECT(low == -0.5f && high == trips - 1, "%g %g", low, high);
}

static void check_nowait(void) {
  int first = 0, second = 0, third = 0;
#pragma omp parallel
  {
#pragma omp for reduction(+ : first) nowait
    for (int i = 0; i < trips; i++) first += 1;
#pragma omp for reduction(+ : second) schedule(dynamic) nowait
    for (int i = 0; i < trips; i++) second += 2;
#pragma omp sections reduction(+ : third)
    {
      third += 4;
#pragma omp section
      third += 5;
    }
#pragma omp barrier
    EXPECT_EQ(first, trips);
    EXPECT_EQ(second, 2 * trips);
    EXPECT_EQ(third, 9);
  }
}

int main(void) {
  for (int round = 0; round < 5; round++) {
    check_integers();
    check_floats();
    check_nowait();
  }
  return 0;
}
