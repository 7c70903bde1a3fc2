// SPDX-License-Identifier: Apache-2.0
// The combined target constructs on the host: parallel, teams, distribute, loop, simd, reductions,
// thread limits, and worksharing over all iterations.
#include <omp.h>
#include "expect.h"

enum { size = 400 };

int main(void) {
  static int in[size], out[size];
  long sum = 0, product = 1;
  int members = 0;
  for (int i = 0; i < size; i++) in[i] = i;
#pragma omp target parallel map(tofrom : members) num_threads(3)
  {
#pragma omp atomic
    members++;
  }
  EXPECT(members >= 1 && members <= 3, "%d members", members);
#pragma omp target parallel for map(to : in) map(from : out) schedule(dynamic, 7)
  for (int i = 0; i < size; i++) out[i] = 2 * in[i];
  for (int i = 0; i < size; i++) EXPECT_EQ(out[i], 2 * i);
#pragma omp target teams distribute parallel for map(to : in) reduction(+ : sum) num_teams(2)
  for (int i = 0; i < size; i++) sum += in[i];
  EXPECT_EQ(sum, size * (size - 1) / 2);
  sum = 0;
#pragma omp target teams distribute map(tofrom : out) num_teams(3) thread_limit(2)
  for (int i = 0; i < size; i++) out[i] += 1;
#pragma omp target teams loop map(tofrom : out)
  for (int i = 0; i < size; i++) out[i] += 1;
#pragma omp target parallel loop map(tofrom : out)
  for (int i = 0; i < size; i++) out[i] += 1;
#pragma omp target simd map(tofrom : out)
  for (int i = 0; i < size; i++) out[i] += 1;
#pragma omp target teams distribute parallel for simd collapse(2) map(tofrom : out)
  for (int i = 0; i < 20; i++)
    for (int j = 0; j < 20; j++) out[i * 20 + j] += 1;
  for (int i = 0; i < size; i++) EXPECT_EQ(out[i], 2 * i + 5);
#pragma omp target map(tofrom : product, sum)
#pragma omp parallel for reduction(* : product) reduction(+ : sum)
  for (int i = 0; i < size; i++) {
    product *= i % 100 == 1 ? 3 : 1;
    sum += 1;
  }
  EXPECT_EQ(product, 81);
  EXPECT_EQ(sum, size);
  return 0;
}
