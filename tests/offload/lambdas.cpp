// SPDX-License-Identifier: Apache-2.0
// Lambdas, references, and members of objects in target regions; objects of a declare target directive are made on
// each device.
#include <vector>
#include "on_device.h"

struct Grid {
  std::vector<int> cells;
  int* raw;
  int size;
  int sum() {
    int total = 0;
    int* data = raw;
#pragma omp target map(tofrom : total) map(to : data[0 : size])
    for (int i = 0; i < size; i++) total += data[i];
    return total;
  }
  void fill(int value) {
#pragma omp target map(from : raw[0 : size])
    for (int i = 0; i < size; i++) raw[i] = value + i;
  }
};

struct Counter {
  int begun;
  Counter() : begun(41) {}
};
#pragma omp declare target
Counter counter;
#pragma omp end declare target

static void check_lambda() {
  int scale = 3, data[20];
  for (int i = 0; i < 20; i++) data[i] = i;
  auto scaled = [scale](int value) { return scale * value; };
#pragma omp target map(tofrom : data)
  for (int i = 0; i < 20; i++) data[i] = scaled(data[i]);
  for (int i = 0; i < 20; i++) EXPECT_EQ(data[i], 3 * i);
}

static void check_references() {
  int value = 5, array[8] = {0};
  int& alias = value;
  int(&all)[8] = array;
#pragma omp target map(tofrom : alias, all)
  {
    alias += 1;
    for (int i = 0; i < 8; i++) all[i] = alias;
  }
  EXPECT_EQ(value, 6);
  EXPECT_EQ(array[7], 6);
}

static void check_members() {
  Grid grid{std::vector<int>(30), nullptr, 30};
  grid.raw = grid.cells.data();
  grid.fill(10);
  EXPECT_EQ(grid.cells[29], 39);
  EXPECT_EQ(grid.sum(), 30 * 10 + 29 * 30 / 2);
}

static void check_object() {
  int seen = 0;
  counter.begun = 1;
#pragma omp target map(from : seen)
  {
    seen = counter.begun;
    counter.begun = 41;
  }
#ifdef __clang__
  EXPECT_EQ(seen, 41);  // each device has a counter of its own
#else
  EXPECT(seen == 41 || seen == 1, "%d", seen);
#endif
#pragma omp target update from(counter)
  EXPECT_EQ(counter.begun, 41);
}

int main() {
  expect_devices();
  for (int device = 0; device < omp_get_num_devices(); device++) {
    omp_set_default_device(device);
    for (int round = 0; round < 5; round++) {
      check_lambda();
      check_references();
      check_members();
      check_object();
    }
  }
  return 0;
}
