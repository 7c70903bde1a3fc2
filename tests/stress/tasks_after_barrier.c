// SPDX-License-Identifier: Apache-2.0
// Tasks of members that have passed a barrier run while others have not left it yet, and in their
// names: the tasks that these make in turn belong to what follows the barrier.
#include <omp.h>
#include "expect.h"
#include "fibonacci.h"

int main(void) {
  for (int region = 0; region < 1000; region++) {
#pragma omp parallel
    for (int i = 0; i < 4; i++) {
#pragma omp barrier
      EXPECT_EQ(fibonacci(5), 5);
    }
  }
  return 0;
}
