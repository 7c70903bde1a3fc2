// SPDX-License-Identifier: Apache-2.0
// A barrier inside of a critical section, which a compiler would not take there: others wait for the section.
#include <omp.h>

__attribute__((noinline)) static void meet(void) {
#pragma omp barrier
}

int main(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp critical(section)
    meet();
  }
  return 0;
}
