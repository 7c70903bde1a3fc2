// SPDX-License-Identifier: Apache-2.0
// Tasks of one thread that wait in exception handlers at the same time, and end them in another
// order than they began: each keeps its exception. So with thread-local data of the program's own,
// where all tasks of a thread share its block, and however TULLE_TLS says it.
#include <exception>
#include <omp.h>
#include <unistd.h>
#include "expect.h"

namespace {

constexpr int kTasks = 40;

thread_local int handled_here;
int handled;

struct Outer { int value; };
struct Inner { int value; };

void handle(int number) {
  try {
    throw Outer{number};
  } catch (const Outer &outer) {
    try {
      throw Inner{number * 3};
    } catch (const Inner &inner) {
#pragma omp critical(handlers)
      {
        usleep(30);
        handled++;
        handled_here++;
      }
      EXPECT_EQ(inner.value, number * 3);
    }
    EXPECT_EQ(std::uncaught_exceptions(), 0);
    EXPECT_EQ(outer.value, number);
    try {
      throw;
    } catch (const Outer &again) {
      EXPECT(&again == &outer, "the exception rethrown is another one");
    }
  }
  EXPECT(std::current_exception() == nullptr, "a handler was left open");
}

}  // namespace

int main() {
  for (int round = 0; round < 20; round++) {
    handled = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < kTasks; i++) {
#pragma omp task
      handle(i);
#pragma omp task untied
      handle(i + kTasks);
    }
    EXPECT_EQ(handled, 2 * kTasks);
  }
  EXPECT(handled_here >= 0);
}
