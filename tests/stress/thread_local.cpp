// SPDX-License-Identifier: Apache-2.0
// thread_local objects, function-local ones included, over suspensions in nested teams: references
// taken before a wait are the object after it; the standard library's own per-thread state too.
#include <omp.h>

#include <clocale>
#include <cmath>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "expect.h"

namespace {

thread_local std::vector<int> log;
thread_local std::mt19937 engine{5489u};

std::string &scratch() {
  thread_local std::string text = "fresh";
  return text;
}

void run_member(int id) {
  std::vector<int> &own = log;
  std::string &text = scratch();
  own.assign(1, id);
  text = "thread " + std::to_string(id);
  engine.seed(id);
  std::mt19937 twin(id);
  for (int step = 0; step < 6; step++) {
    own.push_back(step);
#pragma omp barrier
    EXPECT(&own == &log, "the vector of thread %d moved", id);
    EXPECT(&text == &scratch(), "the string of thread %d moved", id);
    EXPECT_EQ(own.size(), step + 2);
    EXPECT_EQ(own[0], id);
    EXPECT(text == "thread " + std::to_string(id), "'%s' in thread %d", text.c_str(), id);
    EXPECT_EQ(engine(), twin());
#pragma omp critical
    EXPECT_EQ(own.back(), step);
    char message[100], *end;
    EXPECT(std::strtod("2.5", &end) == 2.5, "strtod");
    std::snprintf(message, sizeof message, "%s", std::strerror(id % 30));
    EXPECT(message[0] != 0, "strerror");
  }
}

}  // namespace

int main() {
  omp_set_dynamic(0);
  omp_set_max_active_levels(2);
  int n = omp_get_max_threads(), inner = n >= 16 ? 4 : n >= 4 ? 2 : 1, outer = n / inner;
  for (int round = 0; round < 2; round++) {
#pragma omp parallel
    run_member(omp_get_thread_num());
#pragma omp parallel num_threads(outer)
    {
      int team = omp_get_thread_num();
#pragma omp parallel num_threads(inner)
      run_member(team * inner + omp_get_thread_num());
    }
  }
}
