// SPDX-License-Identifier: Apache-2.0
// for simd with schedule(simd:), safelen, simdlen, linear and reductions gives the scalar result.
#include <omp.h>
#include "expect.h"

enum { trips = 1003 };

#pragma omp declare simd uniform(factor) notinbranch
static int scaled(int value, int factor) { return value * factor; }

int main(void) {
  static int in[trips], out[trips];
  long long sum = 0, wanted = 0;
  for (int i = 0; i < trips; i++) in[i] = i % 17;
  for (int i = 0; i < trips; i++) wanted += in[i] * 3;
#pragma omp parallel for simd schedule(simd : static, 5) reduction(+ : sum) safelen(8)
  for (int i = 0; i < trips; i++) {
    out[i] = scaled(in[i], 3);
    sum += out[i];
  }
  EXPECT_EQ(sum, wanted);
  for (int i = 0; i < trips; i++) EXPECT_EQ(out[i], in[i] * 3);
  int position = 0, last = -1;
#pragma omp parallel for simd schedule(dynamic, 16) linear(position : 2) lastprivate(last) simdlen(4)
  for (int i = 0; i < trips; i++) {
    out[i] = position;
    position += 2;
    last = i;
  }
  EXPECT_EQ(position, 2 * trips);
  EXPECT_EQ(last, trips - 1);
  for (int i = 0; i < trips; i++) EXPECT_EQ(out[i], 2 * i);
#pragma omp parallel for simd collapse(2) schedule(guided)
  for (int i = 0; i < 17; i++)
    for (int j = 0; j < 59; j++) out[i * 59 + j] = i - j;
  for (int i = 0; i < trips; i++) EXPECT_EQ(out[i], i / 59 - i % 59);
  return 0;
}
