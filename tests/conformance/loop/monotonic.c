// SPDX-License-Identifier: Apache-2.0
// Under the monotonic modifier, and with an ordered clause, each thread sees its iterations in
// increasing order; chunks of dynamic loops are whole (OpenMP 5.2 §11.5.3).
#include <omp.h>
#include "expect.h"

enum { trips = 600 };

static int owner[trips];

#define CHECK_MONOTONIC(directive)                                                  \
  _Pragma("omp parallel") {                                                         \
    int last = -1;                                                                  \
    _Pragma(directive) for (int i = 0; i < trips; i++) {                            \
      EXPECT(i > last, "%s: iteration %d after %d", directive, i, last);            \
      last = i;                                                                     \
      owner[i] = omp_get_thread_num();                                              \
    }                                                                               \
  }

static void verify_chunks(int chunk) {
  for (int i = 0; i < trips; i++)
    EXPECT(owner[i] == owner[i / chunk * chunk], "the chunk of iteration %d is split", i);
}

int main(void) {
  CHECK_MONOTONIC("omp for schedule(monotonic: dynamic, 4)")
  verify_chunks(4);
  CHECK_MONOTONIC("omp for schedule(monotonic: guided, 3)")
  CHECK_MONOTONIC("omp for schedule(monotonic: static, 5)")
  verify_chunks(5);
  CHECK_MONOTONIC("omp for schedule(static)")
  omp_set_schedule(omp_sched_dynamic | omp_sched_monotonic, 6);
  CHECK_MONOTONIC("omp for schedule(runtime)")
  verify_chunks(6);
  CHECK_MONOTONIC("omp for schedule(dynamic, 8) ordered")
  verify_chunks(8);
#pragma omp parallel for schedule(nonmonotonic: dynamic, 8)
  for (int i = 0; i < trips; i++) owner[i] = omp_get_thread_num();
  verify_chunks(8);
  return 0;
}
