// SPDX-License-Identifier: Apache-2.0
// Each pthread that opens regions has threadprivate data of its own for all members of its teams,
// and destructors of the thread_local objects of a pthread run when it ends.
#include <omp.h>

#include <atomic>
#include <thread>
#include <vector>

#include "expect.h"

namespace {

int counter = 3;
#pragma omp threadprivate(counter)

std::atomic<int> ended;

struct AtEnd {
  int owner = -1;
  ~AtEnd() {
    if (owner >= 0) ended++;
  }
};
thread_local AtEnd at_end;

void run(int id) {
  at_end.owner = id;
  EXPECT_EQ(counter, 3);
  counter = id * 1000;
  for (int region = 0; region < 5; region++) {
#pragma omp parallel num_threads(3) copyin(counter)
    {
      EXPECT_EQ(counter, id * 1000);
      counter += omp_get_thread_num();
#pragma omp barrier
      EXPECT_EQ(counter, id * 1000 + omp_get_thread_num());
    }
    EXPECT_EQ(counter, id * 1000);
    EXPECT_EQ(at_end.owner, id);
  }
}

}  // namespace

int main() {
  omp_set_dynamic(0);
  std::vector<std::thread> threads;
  for (int id = 1; id <= 6; id++) threads.emplace_back(run, id);
  for (auto &thread : threads) thread.join();
  EXPECT_EQ(ended.load(), 6);
  EXPECT_EQ(counter, 3);
}
