// SPDX-License-Identifier: Apache-2.0
// The objects that a task was given are destroyed once, whether it runs, leaves early or is dropped.
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

void make_tasks(const Tracked &given) {
  for (int i = 0; i < 200; i++) {
    Tracked own(given);
#pragma omp task firstprivate(own)
    {
      EXPECT(own.text.size() > 20);
      if (i % 50 == 20) {
#pragma omp cancel taskgroup
      }
    }
#pragma omp task untied firstprivate(own)
    EXPECT(own.text.size() > 20);
  }
}

}  // namespace

int main() {
  EXPECT(omp_get_cancellation(), "run with OMP_CANCELLATION=true");
  Tracked given;
  for (int round = 0; round < 20; round++) {
#pragma omp parallel
    {
#pragma omp single
#pragma omp taskgroup
      make_tasks(given);
      make_tasks(given);
#pragma omp cancel parallel
    }
    EXPECT_EQ(alive.load(), 1);
  }
}
