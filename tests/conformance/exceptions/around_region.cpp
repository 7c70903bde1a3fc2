// SPDX-License-Identifier: Apache-2.0
// A handler around a region keeps its exception while tasks of the region, some of which wait in handlers of their own, run
// in the name of the thread whose frames lie below. Threads have blocks of their own here.
#include <omp.h>

#include <exception>

#include "expect.h"

namespace {

constexpr int kTasks = 6;

thread_local int own;

void compute(double microseconds) {
  for (double end = omp_get_wtime() + microseconds * 1e-6; omp_get_wtime() < end;) {
  }
}

void wait_in_handler(int number) {
  try {
    throw number;
  } catch (int &caught) {
#pragma omp critical
    compute(20);
#pragma omp taskyield
    EXPECT_EQ(caught, number);
    EXPECT(std::current_exception() != nullptr, "task %d", number);
  }
  own++;
}

void region() {
#pragma omp parallel
  {
    for (int i = 0; i < kTasks; i++)
#pragma omp task firstprivate(i)
      wait_in_handler(i);
    compute(50);
  }
}

}  // namespace

int main() {
  for (int r = 0; r < 40; r++) {
    try {
      throw r;
    } catch (int &caught) {
      region();
      EXPECT_EQ(caught, r);
      EXPECT(std::current_exception() != nullptr, "round %d", r);
    }
    EXPECT(std::current_exception() == nullptr, "round %d", r);
  }
}
