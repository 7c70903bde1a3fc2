// SPDX-License-Identifier: Apache-2.0
// Leaving a cancelled region runs the destructors of its private objects, and later regions of the
// same team size are not affected.
#include <omp.h>

#include <atomic>
#include <string>

#include "expect.h"

namespace {

std::atomic<int> alive;

struct Tracked {
  std::string text = "long enough to live on the heap, not in the object";
  Tracked() { alive++; }
  Tracked(const Tracked &other) : text(other.text) { alive++; }
  ~Tracked() { alive--; }
};

}  // namespace

int main() {
  EXPECT(omp_get_cancellation(), "run with OMP_CANCELLATION=true");
  Tracked outer;
  for (int round = 0; round < 20; round++) {
#pragma omp parallel firstprivate(outer)
    {
      Tracked local;
#pragma omp for schedule(dynamic, 1)
      for (int i = 0; i < 100; i++) {
        Tracked inner;
        if (i == round) {
#pragma omp cancel for
        }
#pragma omp cancellation point for
      }
#pragma omp cancel parallel if (omp_get_thread_num() == 0)
#pragma omp barrier
    }
    EXPECT_EQ(alive.load(), 1);
    int sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++) sum += i;
    EXPECT_EQ(sum, 4950);
  }
}
