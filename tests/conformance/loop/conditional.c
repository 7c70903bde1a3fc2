// SPDX-License-Identifier: Apache-2.0
// lastprivate(conditional:) leaves the value of the sequentially last assignment, whoever made it
// (OpenMP 5.2 §5.4.5).
#include <omp.h>
#include "expect.h"

int main(void) {
  int found = -1;
#pragma omp parallel for schedule(dynamic, 3) lastprivate(conditional : found)
  for (int i = 0; i < 500; i++)
    if (i % 97 == 5) found = i;
  EXPECT_EQ(found, 490);
  found = -1;
#pragma omp parallel for schedule(static) lastprivate(conditional : found)
  for (int i = 0; i < 500; i++)
    if (i % 400 == 3) found = i;
  EXPECT_EQ(found, 403);
  found = -7;
#pragma omp parallel for schedule(guided) lastprivate(conditional : found)
  for (int i = 0; i < 500; i++)
    if (i > 1000) found = i;
  EXPECT_EQ(found, -7);
  int third = -1;
#pragma omp parallel sections lastprivate(conditional : third)
  {
#pragma omp section
    third = 1;
#pragma omp section
    third = 2;
#pragma omp section
    if (found > 0) third = 3;
  }
  EXPECT_EQ(third, 2);
  return 0;
}
