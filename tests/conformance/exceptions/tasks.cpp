// SPDX-License-Identifier: Apache-2.0
// Handlers in tasks that create tasks and wait for them, recursively, each with its own exception.
#include <omp.h>

#include <exception>

#include "expect.h"

namespace {

struct Value {
  int number;
};

int work(int depth, int number) {
  int sum = 0;
  try {
    throw Value{number};
  } catch (const Value &value) {
    if (depth > 0) {
      int left = 0, right = 0;
#pragma omp task shared(left)
      left = work(depth - 1, 2 * number);
#pragma omp task shared(right)
      right = work(depth - 1, 2 * number + 1);
#pragma omp taskyield
#pragma omp taskwait
      sum = left + right;
    }
    EXPECT_EQ(value.number, number);
    sum++;
    try {
      throw;
    } catch (const Value &same) {
      EXPECT_EQ(same.number, number);
    }
  }
  EXPECT_EQ(std::uncaught_exceptions(), 0);
  return sum;
}

}  // namespace

int main() {
  for (int round = 0; round < 3; round++) {
    int total = 0;
#pragma omp parallel
#pragma omp single
    total = work(7, 1);
    EXPECT_EQ(total, 255);
  }
}
