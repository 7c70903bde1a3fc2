// SPDX-License-Identifier: Apache-2.0
// Between its regions the program waits for what is no work.
#include <time.h>

#include "work.h"

int main(void) {
  turns_per_ms();
  for (int round = 0; round < 10; ++round) {
    const struct timespec pause = {0, 30000000};
    nanosleep(&pause, NULL);
#pragma omp parallel for schedule(static)
    for (int i = 0; i < 64; ++i) work_us(50);
  }
  return 0;
}
