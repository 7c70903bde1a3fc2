// SPDX-License-Identifier: Apache-2.0
// The smallest program that uses the runtime: one region.
int main(void) {
  int members = 0;
#pragma omp parallel
  {
#pragma omp atomic
    members++;
  }
  return members == 0;
}
