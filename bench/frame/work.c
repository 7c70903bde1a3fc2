// SPDX-License-Identifier: Apache-2.0
#include "work.h"

double steps_per_ns;
Counter links[MAX_THREADS];

void calibrate(void) {
  enum { PROBE = 200000 };
  double fastest = 1e9;
  for (int i = 0; i < 5; i++) {
    double t = now();
    links[0].n = busy(links[0].n, PROBE);
    t = now() - t;
    if (t < fastest) fastest = t;
  }
  steps_per_ns = PROBE / (1e9 * fastest);
}
