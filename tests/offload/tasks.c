// SPDX-License-Identifier: Apache-2.0
// target nowait and depend on devices: they go on beside the host's code, keep their order, and taskwait,
// taskgroup and barriers wait for them.
#include "clock.h"
#include "on_device.h"

static void check_chain(void) {
  int value = 0, devices = omp_get_num_devices();
  for (int i = 0; i < 12; i++) {
    if (i % 3 == 0) {
#pragma omp target nowait depend(inout : value) map(tofrom : value) device(i % devices)
      value = value * 2 + 1;
    } else if (i % 3 == 1) {
#pragma omp task depend(inout : value) shared(value)
      value = value * 2 + 1;
    } else {
#pragma omp target depend(inout : value) map(tofrom : value) device(i % (devices + 1))
      value = value * 2 + 1;
    }
  }
#pragma omp taskwait
  EXPECT_EQ(value, (1 << 12) - 1);
}

static void check_data_tasks(void) {
  int array[50] = {0}, done = 0;
#pragma omp target enter data map(to : array) nowait depend(out : array)
#pragma omp target nowait depend(inout : array) map(array)
  for (int i = 0; i < 50; i++) array[i] = i;
#pragma omp target update from(array) nowait depend(inout : array)
#pragma omp target exit data map(release : array) nowait depend(inout : array)
#pragma omp task depend(in : array) shared(array, done)
  {
    EXPECT_EQ(array[49], 49);
    done = 1;
  }
#pragma omp taskwait
  EXPECT_EQ(done, 1);
}

static void check_group(void) {
  int cells[30] = {0}, sum = 0;
#pragma omp taskgroup
  for (int i = 0; i < 30; i++) {
    int *cell = &cells[i];
#pragma omp target nowait firstprivate(i) map(from : cell[0 : 1])
    *cell = i;
  }
  for (int i = 0; i < 30; i++) sum += cells[i];
  EXPECT_EQ(sum, 435);
}

// The region waits for what the host copies after it has launched it.
static void check_asynchrony(void) {
  int saw = 0, go = 0, device = omp_get_default_device(), host = omp_get_initial_device();
  volatile int *flag = omp_target_alloc(sizeof go, device);
  EXPECT_EQ(omp_target_memcpy((void *)flag, &go, sizeof go, 0, 0, device, host), 0);
  double begin = seconds();
#pragma omp target nowait is_device_ptr(flag) map(tofrom : saw)
  {
    while (!*flag && seconds() - begin < 20) continue;
    saw = *flag;
  }
  go = 1;
  EXPECT_EQ(omp_target_memcpy((void *)flag, &go, sizeof go, 0, 0, device, host), 0);
#pragma omp taskwait
  EXPECT_EQ(saw, 1);
  omp_target_free((void *)flag, device);
}

static void check_firstprivate(void) {
  int sum = 0, values[8] = {0};
  for (int i = 0; i < 8; i++) {
    int captured = i * 10;
#pragma omp target nowait firstprivate(captured) map(from : values[i : 1])
    values[i] = captured;
    captured = -1;
  }
#pragma omp taskwait
  for (int i = 0; i < 8; i++) sum += values[i];
  EXPECT_EQ(sum, 280);
}

static void check_reduction(void) {
  int sum = 0;
#pragma omp parallel num_threads(3) reduction(task, + : sum)
#pragma omp single
  for (int i = 0; i < 5; i++) {
#pragma omp target in_reduction(+ : sum)
    sum += i;
  }
  EXPECT_EQ(sum, 10);
}

int main(void) {
  expect_devices();
  for (int round = 0; round < 5; round++) {
#pragma omp parallel
#pragma omp single
    {
      check_chain();
      check_data_tasks();
      check_group();
      check_firstprivate();
    }
    check_chain();
    check_data_tasks();
    check_group();
    check_firstprivate();
    check_reduction();
  }
  check_asynchrony();
  return 0;
}
