// SPDX-License-Identifier: Apache-2.0
// Regions in a target region on the host: what its initial task writes is in order with what their members read.
#include "expect.h"

enum { size = 64, regions = 50 };

int main(void) {
  int wrong = 0;
  for (int region = 0; region < regions; region++) {
#pragma omp target map(tofrom : wrong)
    {
      int values[size];
      for (int i = 0; i < size; i++) values[i] = region;
#pragma omp parallel for num_threads(4) reduction(+ : wrong)
      for (int i = 0; i < size; i++) wrong += values[i] != region;
      for (int i = 0; i < size; i++) values[i] = -1;
    }
  }
  EXPECT_EQ(wrong, 0);
  return 0;
}
