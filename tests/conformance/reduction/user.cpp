// SPDX-License-Identifier: Apache-2.0
// declare reduction with initializers, on structures, classes with heap storage and templates; the
// result for a non-commutative value keeps every contribution.
#include <omp.h>

#include <algorithm>
#include <string>
#include <vector>

#include "expect.h"

namespace {

struct Extent {
  long low, high;
};

#pragma omp declare reduction(join : Extent : omp_out = Extent{                                  \
                                  std::min(omp_out.low, omp_in.low),                             \
                                  std::max(omp_out.high, omp_in.high)}) initializer(omp_priv = { \
                                                                                        1 << 30, \
                                                                                        -1})
#pragma omp declare reduction(append : std::vector<int> : omp_out.insert( \
        omp_out.end(), omp_in.begin(), omp_in.end()))
#pragma omp declare reduction(concat : std::string : omp_out += omp_in) \
    initializer(omp_priv = std::string())

template <typename T>
T dot(const std::vector<T> &a, const std::vector<T> &b) {
  T sum = T();
#pragma omp declare reduction(plus : T : omp_out = omp_out + omp_in) initializer(omp_priv = T())
#pragma omp parallel for reduction(plus : sum) schedule(dynamic, 3)
  for (std::size_t i = 0; i < a.size(); i++) sum = sum + a[i] * b[i];
  return sum;
}

struct Money {
  long cents = 0;
  Money operator+(const Money &other) const { return {cents + other.cents}; }
  Money operator*(const Money &other) const { return {cents * other.cents}; }
};

}  // namespace

int main() {
  Extent extent{5, 5};
  std::vector<int> all{-1};
  std::string letters = "<";
#pragma omp parallel for reduction(join : extent) reduction(append : all) \
    reduction(concat : letters) schedule(dynamic)
  for (int i = 0; i < 200; i++) {
    extent = {std::min<long>(extent.low, i - 20), std::max<long>(extent.high, 3 * i)};
    all.push_back(i);
    letters += static_cast<char>('a' + i % 26);
  }
  EXPECT_EQ(extent.low, -20);
  EXPECT_EQ(extent.high, 597);
  EXPECT_EQ(all.size(), 201);
  EXPECT_EQ(all[0], -1);
  std::sort(all.begin(), all.end());
  for (int i = 0; i < 200; i++) EXPECT_EQ(all[i + 1], i);
  EXPECT_EQ(letters.size(), 201);
  EXPECT_EQ(letters[0], '<');
  EXPECT_EQ(std::count(letters.begin(), letters.end(), 'a'), 8);
  EXPECT_EQ(dot(std::vector<long>(100, 3), std::vector<long>(100, 4)), 1200);
  EXPECT_EQ(dot(std::vector<Money>(50, {2}), std::vector<Money>(50, {5})).cents, 500);
}
