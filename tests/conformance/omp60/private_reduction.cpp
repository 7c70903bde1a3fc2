// SPDX-License-Identifier: Apache-2.0
// Reductions over list items that are private in the enclosing region give every thread the value
// of all, for built-in and user-defined operators (OpenMP 6.0 §7.6.10).
#include <omp.h>
#include "expect.h"

struct Pair {
  long sum = 0;
  int most = -1;
  void add(long value) {
    sum += value;
    if (value > most) most = static_cast<int>(value);
  }
};
#pragma omp declare reduction(join : Pair : omp_out.sum += omp_in.sum, \
    omp_out.most = omp_out.most > omp_in.most ? omp_out.most : omp_in.most)

static long sum_of(int trips) {
  long sum = 0;
#pragma omp for reduction(original(private), + : sum)
  for (int i = 0; i < trips; i++) sum += i;
  return sum;
}

int main() {
  omp_set_dynamic(0);
#pragma omp parallel
  {
    for (int round = 1; round < 6; round++) {
      int trips = 40 * round, product = 1;
      EXPECT_EQ(sum_of(trips), trips * (trips - 1) / 2);
      Pair pair;
#pragma omp for reduction(original(private), join : pair) schedule(dynamic, 3)
      for (int i = 0; i < trips; i++) pair.add(i);
      EXPECT_EQ(pair.sum, trips * (trips - 1) / 2);
      EXPECT_EQ(pair.most, trips - 1);
#pragma omp for reduction(original(private), * : product)
      for (int i = 1; i < 6; i++) product *= i;
      EXPECT_EQ(product, 120);
    }
  }
  return 0;
}
