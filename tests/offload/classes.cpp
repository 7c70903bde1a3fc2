// SPDX-License-Identifier: Apache-2.0
// C++ on devices: references, members through `this`, templates, lambdas that are called in the region.
#include <vector>
#include "on_device.h"

namespace {

template <class T>
struct Grid {
  T *cells;
  int n;

  explicit Grid(int size) : cells(new T[size]), n(size) {
    for (int i = 0; i < n; ++i) cells[i] = T(i);
  }
  ~Grid() { delete[] cells; }

  void add(T what) {
    T *data = cells;
#pragma omp target teams distribute parallel for map(tofrom : data[0 : n]) firstprivate(what)
    for (int i = 0; i < n; ++i) data[i] += what;
  }

  T sum_on_device() {
    T sum = 0;
#pragma omp target enter data map(to : this[0 : 1])
#pragma omp target enter data map(to : cells[0 : n])
#pragma omp target map(tofrom : sum)
    for (int i = 0; i < n; ++i) sum += cells[i];
#pragma omp target exit data map(release : cells[0 : n])
#pragma omp target exit data map(release : this[0 : 1])
    return sum;
  }
};

void check_references(int &counter, const int &step) {
  uintptr_t here = reinterpret_cast<uintptr_t>(&counter);
#pragma omp target map(tofrom : counter)
  {
    EXPECT_MOVED(&counter, here);
    counter += step;
  }
}

void check_lambda() {
  std::vector<double> values(100, 1.5);
  double *data = values.data(), factor = 4;
  auto scaled = [factor](double x) { return factor * x; };
#pragma omp target parallel for map(tofrom : data[0 : 100])
  for (int i = 0; i < 100; ++i) data[i] = scaled(data[i]);
  for (double value : values) EXPECT(value == 6, "%g", value);
}

}  // namespace

int main() {
  expect_devices();
  for (int round = 0; round < 5; ++round) {
    Grid<double> grid(40);
    grid.add(0.5);
    EXPECT(grid.cells[7] == 7.5, "%g", grid.cells[7]);
    EXPECT(grid.sum_on_device() == 40 * 39 / 2 + 20, "%g", grid.sum_on_device());
    int counter = 1;
    check_references(counter, 41);
    EXPECT_EQ(counter, 42);
    check_lambda();
  }
}
