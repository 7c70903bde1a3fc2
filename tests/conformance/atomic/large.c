// SPDX-License-Identifier: Apache-2.0
// atomic on types wider than the machine's registers, long double and __int128: the compilers fall
// back on the runtime's lock, on libatomic or on a typed entry.
#include <omp.h>
#include "expect.h"

enum { rounds = 200 };

int main(void) {
  long double extended = 0, halves = 1;
  __int128 wide = 0, scaled = 1;
  int n = 0;
#pragma omp parallel reduction(+ : n)
  {
    n++;
    for (int i = 0; i < rounds; i++) {
      long double before, now;
#pragma omp atomic
      extended += 1.5L;
#pragma omp atomic capture
      {
        before = halves;
        halves = halves + 0.25L;
      }
      EXPECT(before >= 1 && before < 1 + 64 * rounds, "captured %Lg", before);
#pragma omp atomic read
      now = halves;
      EXPECT(now > before, "%Lg after %Lg", now, before);
#pragma omp atomic
      wide += ((__int128)1 << 80) + 1;
    }
#pragma omp atomic
    scaled = scaled * 2;
  }
  int steps = n * rounds;
  EXPECT(extended == 1.5L * steps, "%Lg after %d steps", extended, steps);
  EXPECT(halves == 1 + 0.25L * steps, "%Lg after %d steps", halves, steps);
  EXPECT_EQ(wide, steps);
  EXPECT_EQ(wide >> 80, steps);
  EXPECT(scaled == (__int128)1 << n, "after %d doublings", n);
  return 0;
}
