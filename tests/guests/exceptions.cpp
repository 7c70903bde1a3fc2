// SPDX-License-Identifier: Apache-2.0
// Fibers whose regions wait while each of them handles an exception of its own.
#include <omp.h>

#include "fibers.h"

namespace {

constexpr int kFibers = 6;
int threads;

struct Thrown {
  int id;
};

void wait_in_handler(int id) {
  try {
    throw Thrown{id};
  } catch (const Thrown& first) {
    int sum = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
#pragma omp barrier
      sum += omp_get_thread_num() + 1;
    }
    EXPECT_EQ(sum, threads * (threads + 1) / 2);
    try {
      throw;
    } catch (const Thrown& again) {
      EXPECT_EQ(again.id, id);
      EXPECT_EQ(&again == &first, 1);
    }
  }
}

void run_one(void* argument) {
  int id = *static_cast<int*>(argument);
  for (int round = 0; round < 20; ++round) {
    wait_in_handler(id);
    fiber_yield();
  }
}

}  // namespace

int main() {
  threads = omp_get_max_threads();
  register_fibers();
  int ids[kFibers];
  for (int i = 0; i < kFibers; ++i) {
    ids[i] = i;
    spawn_fiber(run_one, &ids[i]);
  }
  run_fibers(1);
}
