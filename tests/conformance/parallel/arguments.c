// SPDX-License-Identifier: Apache-2.0
// Regions that take few and many arguments, one after the other with other values each time: Clang hands
// over each captured variable as a word of its own, some of which a runtime publishes with the region.
#include <omp.h>
#include "expect.h"

#define REGION(sum, ...)                                                \
  {                                                                     \
    long total = 0;                                                     \
    PRAGMA(omp parallel firstprivate(__VA_ARGS__) reduction(+ : total)) \
    total += (sum);                                                     \
    EXPECT_EQ(total, members *(sum));                                   \
  }

static void regions(long members, long base) {
  long a = base + 1, b = base * 2, c = base ^ 3, d = base - 4, e = base + 5, f = base * 6, g = base ^ 7,
       h = base - 8, i = base + 9, j = base * 10, k = base ^ 11, l = base - 12;
  REGION(base, base)
  REGION(a + b, a, b)
  REGION(a + b - c, a, b, c)
  REGION(a + b - c + d, a, b, c, d)
  REGION(a + b - c + d - e, a, b, c, d, e)
  REGION(a + b - c + d - e + f - g + h - i, a, b, c, d, e, f, g, h, i)
  REGION(a + b - c + d - e + f - g + h - i + j, a, b, c, d, e, f, g, h, i, j)
  REGION(a + b - c + d - e + f - g + h - i + j - k, a, b, c, d, e, f, g, h, i, j, k)
  REGION(a + b - c + d - e + f - g + h - i + j - k + l, a, b, c, d, e, f, g, h, i, j, k, l)
}

int main(void) {
  omp_set_dynamic(0);
  int members = omp_get_max_threads(), repetitions = members > 4 ? 50 : 1000;
  for (int base = 1; base <= repetitions; base++) regions(members, base);
  return 0;
}
