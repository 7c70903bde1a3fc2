// SPDX-License-Identifier: Apache-2.0
// target on a machine without devices runs on the host, in the encountering data environment: map in
// all directions, data regions, enter and exit, update, use_device_ptr, is_device_ptr, declare target.
#include <omp.h>
#include "expect.h"

#pragma omp declare target
static int on_device = 4;
static int triple(int value) { return value * 3; }
#pragma omp end declare target

static void check_maps(void) {
  int scalar = 5, result = 0, array[100], first = 8;
  for (int i = 0; i < 100; i++) array[i] = i;
#pragma omp target map(tofrom : scalar) map(to : array) map(from : result) firstprivate(first)
  {
    EXPECT_EQ(omp_is_initial_device(), 1);
    scalar += array[99] + first;
    first = 0;
    result = triple(7) + on_device;
  }
  EXPECT_EQ(scalar, 5 + 99 + 8);
  EXPECT_EQ(first, 8);
  EXPECT_EQ(result, 25);
  int implicit = 3;
#pragma omp target defaultmap(tofrom : scalar)
  implicit += 1;
  EXPECT_EQ(implicit, 4);
#pragma omp target if (scalar < 0) map(tofrom : array[10 : 20])
  for (int i = 10; i < 30; i++) array[i] = -i;
  EXPECT_EQ(array[29], -29);
}

static void check_data(void) {
  enum { size = 200 };
  int *heap = malloc(size * sizeof *heap), sum = 0;
  for (int i = 0; i < size; i++) heap[i] = i;
#pragma omp target data map(tofrom : heap[0 : size])
  {
#pragma omp target map(heap[0 : size])
    for (int i = 0; i < size; i++) heap[i] *= 2;
#pragma omp target update from(heap[0 : size])
    EXPECT_EQ(heap[size - 1], 2 * (size - 1));
    heap[0] = 11;
#pragma omp target update to(heap[0 : 1])
#pragma omp target map(heap[0 : size]) map(tofrom : sum)
    sum += heap[0];
#pragma omp target data use_device_ptr(heap)
    {
#pragma omp target is_device_ptr(heap) map(tofrom : sum)
      sum += heap[1];
    }
  }
  EXPECT_EQ(sum, 13);
#pragma omp target enter data map(to : heap[0 : size])
#pragma omp target map(heap[0 : size])
  heap[5] = 55;
#pragma omp target exit data map(from : heap[0 : size])
  EXPECT_EQ(heap[5], 55);
#pragma omp target exit data map(release : heap[0 : size])
  free(heap);
}

int main(void) {
  for (int round = 0; round < 3; round++) {
    check_maps();
    check_data();
  }
#pragma omp parallel num_threads(4)
  {
    int own = omp_get_thread_num(), back = -1;
#pragma omp target map(to : own) map(from : back)
    back = own * 10;
    EXPECT_EQ(back, omp_get_thread_num() * 10);
  }
  return 0;
}
