// SPDX-License-Identifier: Apache-2.0
// Nothing is wrong with it, nor is there where a neighbour makes one core slower: it works by the clock.
#include "work.h"

int main(void) {
  for (int round = 0; round < 20; ++round) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 64; ++i) compute_for(300e-6);
  }
  return 0;
}
