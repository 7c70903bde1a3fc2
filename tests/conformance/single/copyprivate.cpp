// SPDX-License-Identifier: Apache-2.0
// copyprivate of class objects uses their assignment operator, of references their target; the
// source stays alive until the last thread has read it.
#include <omp.h>

#include <atomic>
#include <string>
#include <vector>

#include "expect.h"

namespace {

std::atomic<int> assignments;

struct Box {
  std::vector<int> numbers;
  Box() = default;
  Box(const Box &) = default;
  Box &operator=(const Box &other) {
    assignments++;
    numbers = other.numbers;
    return *this;
  }
};

}  // namespace

int main() {
  omp_set_dynamic(0);
#pragma omp parallel
  for (int round = 0; round < 10; round++) {
    Box box;
    std::string text = "before";
    std::string &reference = text;
#pragma omp single copyprivate(box, reference)
    {
      box.numbers.assign(100 + round, round);
      reference = "a text too long for the small buffer, round " + std::to_string(round);
    }
    EXPECT_EQ(box.numbers.size(), 100 + round);
    EXPECT_EQ(box.numbers.back(), round);
    EXPECT(text.ends_with("round " + std::to_string(round)), "got '%s'", text.c_str());
  }
  EXPECT_EQ(assignments.load(), 10 * (omp_get_max_threads() - 1));
}
