// SPDX-License-Identifier: Apache-2.0
// Every schedule kind and modifier runs each iteration once, whatever the trip count, the chunk size
// and the stride (OpenMP 5.2 §11.5.3).
#include <omp.h>
#include <string.h>
#include "expect.h"

enum { most = 700 };

static unsigned char seen[most];

static void verify(const char *kind, int trips) {
  for (int i = 0; i < most; i++)
    EXPECT(seen[i] == (i < trips), "%s, %d trips: iteration %d ran %d times", kind, trips, i, seen[i]);
  memset(seen, 0, sizeof seen);
}

#define SWEEP(directive, trips)                                    \
  do {                                                             \
    _Pragma(directive) for (int i = 0; i < trips; i++) seen[i]++;  \
    verify(directive, trips);                                      \
    _Pragma(directive) for (int i = trips - 1; i >= 0; i--) seen[i]++; \
    verify(directive " downwards", trips);                         \
    _Pragma(directive) for (long i = 5; i < 5 + 3L * trips; i += 3) seen[(i - 5) / 3]++; \
    verify(directive " long, stride 3", trips);                    \
  } while (0)

int main(void) {
  for (int trips = 0; trips <= most; trips = trips * 5 + 3) {
    int chunk = 1 + trips / 9;
    SWEEP("omp parallel for schedule(static)", trips);
    SWEEP("omp parallel for schedule(static, chunk)", trips);
    SWEEP("omp parallel for schedule(dynamic)", trips);
    SWEEP("omp parallel for schedule(dynamic, chunk)", trips);
    SWEEP("omp parallel for schedule(guided)", trips);
    SWEEP("omp parallel for schedule(guided, chunk)", trips);
    SWEEP("omp parallel for schedule(auto)", trips);
    SWEEP("omp parallel for schedule(runtime)", trips);
    SWEEP("omp parallel for schedule(monotonic: static, chunk)", trips);
    SWEEP("omp parallel for schedule(monotonic: dynamic, chunk)", trips);
    SWEEP("omp parallel for schedule(nonmonotonic: dynamic, chunk)", trips);
    SWEEP("omp parallel for schedule(monotonic: guided)", trips);
    SWEEP("omp parallel for schedule(nonmonotonic: guided, chunk)", trips);
    SWEEP("omp parallel for schedule(monotonic: runtime)", trips);
    SWEEP("omp parallel for schedule(nonmonotonic: runtime)", trips);
  }
  return 0;
}
