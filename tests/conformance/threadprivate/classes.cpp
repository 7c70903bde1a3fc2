// SPDX-License-Identifier: Apache-2.0
// threadprivate and thread_local objects with constructors: one object a thread, built before its
// first use there, destroyed at most once, and seen by every later region of that thread.
#include <omp.h>

#include <atomic>
#include <string>

#include "expect.h"

namespace {

std::atomic<int> built, destroyed;

struct Tracked {
  std::string text;
  int number;
  explicit Tracked(int start) : text("built by a thread, and long enough for the heap"), number(start) {
    built++;
  }
  ~Tracked() {
    text = "destroyed";
    destroyed++;
  }
};

extern Tracked global;
#pragma omp threadprivate(global)
Tracked global(5);
thread_local Tracked local(6);

}  // namespace

int main() {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
#pragma omp parallel
  {
    EXPECT_EQ(global.number, 5);
    EXPECT_EQ(local.number, 6);
    global.number = 100 + omp_get_thread_num();
    local.number = 200 + omp_get_thread_num();
    local.text += std::to_string(omp_get_thread_num());
#pragma omp barrier
    EXPECT_EQ(global.number, 100 + omp_get_thread_num());
    EXPECT_EQ(local.number, 200 + omp_get_thread_num());
  }
  EXPECT_EQ(built.load() - destroyed.load(), 2 * n);
#pragma omp parallel
  {
    EXPECT_EQ(global.number, 100 + omp_get_thread_num());
    EXPECT_EQ(local.number, 200 + omp_get_thread_num());
    EXPECT(local.text.ends_with("heap" + std::to_string(omp_get_thread_num())), "got '%s'",
           local.text.c_str());
  }
  EXPECT_EQ(built.load() - destroyed.load(), 2 * n);
  global.text = "copied in";
  global.number = 9;
#pragma omp parallel copyin(global)
  {
    EXPECT_EQ(global.number, 9);
    EXPECT(global.text == "copied in", "got '%s'", global.text.c_str());
  }
}
