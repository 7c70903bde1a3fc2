// SPDX-License-Identifier: Apache-2.0
// Loops over random access iterators, pointers and range-based loops, collapsed too.
#include <omp.h>

#include <deque>
#include <numeric>
#include <vector>

#include "expect.h"

int main() {
  std::vector<int> numbers(777);
  std::iota(numbers.begin(), numbers.end(), 0);
  std::deque<long> doubled(777);
  long long sum = 0;
#pragma omp parallel for schedule(dynamic, 10)
  for (auto it = numbers.begin(); it < numbers.end(); ++it) doubled[it - numbers.begin()] = 2 * *it;
  for (int i = 0; i < 777; i++) EXPECT_EQ(doubled[i], 2 * i);
#pragma omp parallel for reduction(+ : sum) schedule(guided)
  for (int number : numbers) sum += number;
  EXPECT_EQ(sum, 776 * 777 / 2);
  sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(static, 3)
  for (auto it = doubled.rbegin(); it < doubled.rend(); it += 7) sum += *it;
  long long wanted = 0;
  for (int i = 776; i >= 0; i -= 7) wanted += 2 * i;
  EXPECT_EQ(sum, wanted);
  sum = 0;
  int *first = numbers.data(), *last = first + 50;
#pragma omp parallel for collapse(2) reduction(+ : sum)
  for (int *a = first; a != last; a++)
    for (int *b = last - 1; b >= first; b -= 2) sum += *a * *b;
  EXPECT_EQ(sum, 1225 * 625);
}
