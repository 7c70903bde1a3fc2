// SPDX-License-Identifier: Apache-2.0
// What runs inside of target regions: parallel regions, teams, loops, reductions and tasks, with the control
// variables of the device; which device it says it is; and declare target.
#include "on_device.h"

#pragma omp declare target
int scale = 3;  // clang: not static
int table[4] = {1, 2, 3, 4};
static int scaled(int value) { return value * scale; }
static int fib(int n) {
  if (n < 2) return n;
  int a = 0, b = 0;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
#pragma omp end declare target

int linked = 5;
#pragma omp declare target link(linked)

static void check_identity(void) {
  int devices = omp_get_num_devices();
  EXPECT_EQ(omp_get_initial_device(), devices);
  EXPECT_EQ(omp_get_device_num(), devices);
  for (int device = 0; device <= devices; device++) {
    int number = -1, initial = -1, count = -1, inside = -1, level = -1;
#pragma omp target device(device) map(from : number, initial, count, inside, level)
    {
      number = omp_get_device_num();
      initial = omp_is_initial_device();
      count = omp_get_num_devices();
      level = omp_get_level() * 10 + omp_in_parallel();
#pragma omp parallel num_threads(2)
#pragma omp master
      inside = omp_get_device_num();
    }
    EXPECT_EQ(number, device);
    EXPECT_EQ(inside, device);
    EXPECT_EQ(initial, device == devices);
    EXPECT_EQ(count, devices);
#ifdef __clang__
    if (device == devices) continue;  // its region is a part of the code around it
#endif
    EXPECT_EQ(level, 0);
  }
}

static void check_control_variables(void) {
  int most = 0, procs = 0, limit = 0, host_most = omp_get_max_threads();
#pragma omp target map(from : most, procs)
  {
    most = omp_get_max_threads();
    procs = omp_get_num_procs();
    omp_set_num_threads(17);
  }
  EXPECT_EQ(most, procs);
  EXPECT_EQ(omp_get_max_threads(), host_most);
#pragma omp target map(from : most, limit) thread_limit(1)
  {
    most = omp_get_max_threads();
    limit = omp_get_thread_limit();
  }
  EXPECT(most != 17, "the next region's variables are new");
  EXPECT_EQ(limit, 1);
}

static void check_constructs(void) {
  enum { size = 400 };
  int data[size], members = 0;
  long sum = 0, tasks = 0;
  for (int i = 0; i < size; i++) data[i] = i;
#pragma omp target parallel map(tofrom : members) num_threads(6)
  {
#pragma omp atomic
    members++;
#pragma omp barrier
#pragma omp single
    members += 100;
  }
  EXPECT(members == 106, "%d", members);
#pragma omp target teams distribute parallel for map(tofrom : data) reduction(+ : sum) num_teams(3)
  for (int i = 0; i < size; i++) {
    sum += data[i];
    data[i] = scaled(data[i]);
  }
  EXPECT_EQ(sum, size * (size - 1) / 2);
  for (int i = 0; i < size; i++) EXPECT_EQ(data[i], 3 * i);
#pragma omp target map(tofrom : tasks)
#pragma omp parallel num_threads(4)
#pragma omp single
  tasks = fib(12);
  EXPECT_EQ(tasks, 144);
}

static void check_declared(void) {
  int seen = 0;
  scale = 4;
#pragma omp target update to(scale)
#pragma omp target map(tofrom : seen)
  {
    seen = scaled(10) + table[3];
    scale = 6;
    table[0] = 9;
  }
  EXPECT_EQ(seen, 44);
#pragma omp target update from(scale, table)
  EXPECT_EQ(scale, 6);
  EXPECT_EQ(table[0], 9);
  scale = 3;
  table[0] = 1;
#pragma omp target update to(scale, table)
  linked = 7;
#pragma omp target map(tofrom : linked)
  linked += 1;
  EXPECT_EQ(linked, 8);
}

int main(void) {
  expect_devices();
  check_identity();
  for (int device = 0; device < omp_get_num_devices(); device++) {
    omp_set_default_device(device);
    for (int round = 0; round < 5; round++) {
      check_control_variables();
      check_constructs();
      check_declared();
    }
  }
#pragma omp parallel num_threads(3)
  check_identity();
  return 0;
}
