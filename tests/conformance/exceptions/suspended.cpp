// SPDX-License-Identifier: Apache-2.0
// A handler that waits half-way keeps its exception: over barriers, taskwait, critical sections,
// ordered and nested regions, with rethrow, uncaught_exceptions and exception_ptr afterwards.
#include <omp.h>

#include <exception>
#include <stdexcept>
#include <string>

#include "expect.h"

namespace {

struct Failure {
  int value;
  std::string text;
};

void wait_everywhere() {
#pragma omp barrier
#pragma omp task
  (void)0;
#pragma omp taskwait
#pragma omp critical(wait_everywhere)
  usleep(1);
#pragma omp for ordered schedule(static, 1)
  for (int i = 0; i < omp_get_num_threads(); i++) {
#pragma omp ordered
    (void)0;
  }
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
  }
#pragma omp barrier
}

void check_handler() {
  int self = omp_get_thread_num();
  bool again = false;
  try {
    throw Failure{self, "failure " + std::to_string(self)};
  } catch (Failure &failure) {
    wait_everywhere();
    EXPECT_EQ(failure.value, self);
    EXPECT(failure.text == "failure " + std::to_string(self), "'%s'", failure.text.c_str());
    try {
      throw;
    } catch (const Failure &same) {
      again = true;
      EXPECT(&same == &failure, "rethrow gave another exception to thread %d", self);
      wait_everywhere();
    }
    std::exception_ptr held = std::current_exception();
    EXPECT(held != nullptr, "no current exception in thread %d", self);
#pragma omp barrier
    try {
      std::rethrow_exception(held);
    } catch (const Failure &same) {
      EXPECT_EQ(same.value, self);
    }
  }
  EXPECT(again, "thread %d", self);
  EXPECT(std::current_exception() == nullptr, "thread %d", self);
}

struct WaitInDestructor {
  int self = omp_get_thread_num();
  ~WaitInDestructor() {
    EXPECT_EQ(std::uncaught_exceptions(), 1);
    wait_everywhere();
    EXPECT_EQ(std::uncaught_exceptions(), 1);
    EXPECT_EQ(omp_get_thread_num(), self);
  }
};

void check_unwinding() {
  int self = omp_get_thread_num(), caught = -1;
  try {
    WaitInDestructor waiter;
    throw self;
  } catch (int value) {
    caught = value;
  }
  EXPECT_EQ(caught, self);
  EXPECT_EQ(std::uncaught_exceptions(), 0);
}

}  // namespace

int main() {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  for (int round = 0; round < 2; round++) {
#pragma omp parallel
    {
      check_handler();
      check_unwinding();
      if (omp_get_thread_num() % 2 == 0) {
        try {
          throw omp_get_thread_num();
        } catch (int value) {
#pragma omp taskyield
          EXPECT_EQ(value, omp_get_thread_num());
        }
      }
    }
  }
}
