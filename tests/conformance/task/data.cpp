// SPDX-License-Identifier: Apache-2.0
// What a task captures: copies of class objects made at creation and destroyed once, large and
// strongly aligned structures, this.
#include <omp.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "expect.h"

namespace {

std::atomic<int> alive, ran;

struct Tracked {
  std::string text;
  explicit Tracked(std::string start) : text(std::move(start)) { alive++; }
  Tracked(const Tracked &other) : text(other.text) { alive++; }
  ~Tracked() { alive--; }
};

struct alignas(64) Wide {
  double values[600];
};

void spawn(int i) {
  Tracked tracked("a captured string that is long enough, number " + std::to_string(i));
  std::vector<int> numbers(i + 1, i);
  Wide wide;
  wide.values[599] = i;
  auto shared = std::make_shared<int>(i);
#pragma omp task firstprivate(tracked, numbers, wide, shared)
  {
    EXPECT(tracked.text.ends_with("number " + std::to_string(i)), "'%s'", tracked.text.c_str());
    EXPECT_EQ(numbers.size(), i + 1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&wide) % 64, 0);
    EXPECT(wide.values[599] == i, "%g", wide.values[599]);
    EXPECT_EQ(*shared, i);
    ran++;
  }
}

struct Counter {
  std::atomic<int> total{0};
  void add() {
#pragma omp task
    total++;
  }
};

}  // namespace

int main() {
  omp_set_dynamic(0);
  Counter counter;
#pragma omp parallel
  {
#pragma omp for
    for (int i = 0; i < 60; i++) spawn(i);
    counter.add();
  }
  EXPECT_EQ(ran.load(), 60);
  EXPECT_EQ(alive.load(), 0);
  EXPECT_EQ(counter.total.load(), omp_get_max_threads());
}
