// SPDX-License-Identifier: Apache-2.0
// Objects of class type in data-sharing clauses: a constructor and a destructor call per thread,
// references are privatised by value (OpenMP 5.2 §5.4).
#include <omp.h>

#include <atomic>
#include <string>
#include <vector>

#include "expect.h"

namespace {

std::atomic<int> defaults, copies, ends;

struct Counted {
  int value = 5;
  Counted() { defaults++; }
  explicit Counted(int start) : value(start) {}
  Counted(const Counted &other) : value(other.value) { copies++; }
  Counted &operator=(const Counted &) = default;
  ~Counted() { ends++; }
};

void check_counts(int n) {
  Counted first(9), blank(1), last(0);
  defaults = copies = ends = 0;
#pragma omp parallel firstprivate(first) private(blank)
  {
    EXPECT_EQ(first.value, 9);
    EXPECT_EQ(blank.value, 5);
    first.value = blank.value = omp_get_thread_num();
  }
  EXPECT_EQ(copies.load(), n);
  EXPECT_EQ(defaults.load(), n);
  EXPECT_EQ(ends.load(), 2 * n);
  EXPECT_EQ(first.value, 9);
#pragma omp parallel for lastprivate(last) schedule(dynamic)
  for (int i = 0; i < 100; i++) last.value = i;
  EXPECT_EQ(last.value, 99);
}

void check_containers() {
  std::string text(100, 'x');
  std::vector<int> numbers{1, 2, 3};
  std::string &reference = text;
#pragma omp parallel firstprivate(reference, numbers)
  {
    EXPECT(&reference != &text, "a firstprivate reference is the original");
    EXPECT_EQ(reference.size(), 100);
    reference += std::to_string(omp_get_thread_num());
    for (int i = 0; i < 1000; i++) numbers.push_back(i);
    EXPECT_EQ(numbers.size(), 1003);
  }
  EXPECT_EQ(text.size(), 100);
  EXPECT_EQ(numbers.size(), 3);
}

struct Body {
  int member = 4;
  int run() {
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    sum += member;
    return sum;
  }
};

}  // namespace

int main() {
  omp_set_dynamic(0);
  int n = omp_get_max_threads();
  check_counts(n);
  check_containers();
  EXPECT_EQ(Body().run(), 4 * n);
}
