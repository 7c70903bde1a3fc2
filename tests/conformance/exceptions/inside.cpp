// SPDX-License-Identifier: Apache-2.0
// Exceptions thrown and caught inside a region by all members at once: in loops, sections, single,
// critical, nested teams and tasks; destructors run, and the value is the thrower's.
#include <omp.h>

#include <atomic>
#include <stdexcept>
#include <string>

#include "expect.h"

namespace {

std::atomic<int> alive;

struct Tracked {
  Tracked() { alive++; }
  Tracked(const Tracked &) { alive++; }
  ~Tracked() { alive--; }
};

void throw_deep(int depth, int value) {
  Tracked tracked;
  if (depth == 0) throw std::runtime_error("value " + std::to_string(value));
  throw_deep(depth - 1, value);
}

void expect_throw(int value) {
  bool caught = false;
  try {
    throw_deep(value % 5, value);
  } catch (const std::exception &error) {
    caught = true;
    EXPECT(error.what() == "value " + std::to_string(value), "'%s' for %d", error.what(), value);
  }
  EXPECT(caught, "nothing was thrown for %d", value);
  EXPECT(std::current_exception() == nullptr, "an exception is still current");
}

void run_constructs() {
  int self = omp_get_thread_num();
  expect_throw(self);
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 64; i++) expect_throw(1000 + i);
#pragma omp sections
  {
    expect_throw(1);
#pragma omp section
    expect_throw(2);
  }
#pragma omp single
  expect_throw(self + 2000);
  for (int i = 0; i < 3; i++) {
#pragma omp critical
    expect_throw(self + 3000 + i);
#pragma omp task firstprivate(self, i)
    expect_throw(self + 4000 + i);
  }
#pragma omp taskwait
#pragma omp parallel num_threads(2)
  expect_throw(self * 2 + omp_get_thread_num());
}

}  // namespace

int main() {
  omp_set_max_active_levels(2);
  for (int round = 0; round < 2; round++) {
#pragma omp parallel
    run_constructs();
    EXPECT_EQ(alive.load(), 0);
  }
  expect_throw(7);
}
