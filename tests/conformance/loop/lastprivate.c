// SPDX-License-Identifier: Apache-2.0
// lastprivate and linear leave the value of the sequentially last iteration, whoever ran it.
#include <omp.h>
#include "expect.h"

#define CHECK(schedule_)                                                           \
  do {                                                                             \
    int plain = -1, both = 1000, line = 3, array[3] = {0, 0, 0};                   \
    _Pragma("omp parallel") {                                                      \
      PRAGMA(omp for firstprivate(both) lastprivate(plain, both, array) linear(line : 5) schedule_) \
      for (int i = 0; i < 200; i++) {                                              \
        plain = i;                                                                 \
        EXPECT(both >= 0, "firstprivate lost");                                    \
        both = i * 2;                                                              \
        EXPECT_EQ(line, 3 + 5 * i);                                                \
        line += 5;                                                                 \
        array[1] = i;                                                              \
      }                                                                            \
    }                                                                              \
    EXPECT_EQ(plain, 199);                                                         \
    EXPECT_EQ(both, 398);                                                          \
    EXPECT_EQ(line, 3 + 5 * 200);                                                  \
    EXPECT_EQ(array[1], 199);                                                      \
  } while (0)

int main(void) {
  CHECK(schedule(static));
  CHECK(schedule(static, 3));
  CHECK(schedule(dynamic));
  CHECK(schedule(guided, 2));
  return 0;
}
