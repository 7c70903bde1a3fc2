// SPDX-License-Identifier: Apache-2.0
// Each map type and data-sharing clause of target: what the region sees, what the host has afterwards, and that
// the data are the device's.
#include "on_device.h"

enum { size = 64 };

static void fill(int *data) {
  for (int i = 0; i < size; i++) data[i] = i;
}

static void check_types(void) {
  int to[size], from[size], both[size], none[size], seen = -1;
  fill(to);
  fill(from);
  fill(both);
  fill(none);
  uintptr_t to_here = (uintptr_t)to, both_here = (uintptr_t)both;
#pragma omp target map(to : to) map(from : from, seen) map(tofrom : both) map(alloc : none)
  {
    EXPECT_MOVED(to, to_here);
    EXPECT_MOVED(both, both_here);
    seen = omp_is_initial_device() * 2 + (to[9] == 9 && both[9] == 9);
    for (int i = 0; i < size; i++) {
      from[i] = to[i] + 100;
      both[i] += 1000;
      to[i] = none[i] = -1;
    }
  }
  EXPECT_EQ(seen, 1);
  for (int i = 0; i < size; i++) {
    EXPECT_EQ(to[i], i);
    EXPECT_EQ(from[i], i + 100);
    EXPECT_EQ(both[i], i + 1000);
    EXPECT_EQ(none[i], i);
  }
}

static void check_always(void) {
  int data[size], sum = 0;
  fill(data);
#pragma omp target data map(to : data)
  {
    data[3] = 33;
#pragma omp target map(to : data) map(tofrom : sum)
    sum = data[3];
    EXPECT_EQ(sum, 3);
#pragma omp target map(always, to : data) map(tofrom : sum)
    sum = data[3];
    EXPECT_EQ(sum, 33);
#pragma omp target map(tofrom : data)
    data[4] = 44;
    EXPECT_EQ(data[4], 4);
#pragma omp target map(always, from : data)
    data[5] = 55;
    EXPECT_EQ(data[4], 44);
    EXPECT_EQ(data[5], 55);
#pragma omp target map(always, tofrom : data)
    data[6] = data[5] + 1;
    EXPECT_EQ(data[6], 56);
  }
  EXPECT_EQ(data[3], 33);
}

static void check_sections(int *heap, int n) {
  for (int i = 0; i < size; i++) heap[i] = i;
#pragma omp target map(tofrom : heap[10 : n])
  for (int i = 10; i < 10 + n; i++) heap[i] = -heap[i];
  for (int i = 0; i < size; i++) EXPECT_EQ(heap[i], i >= 10 && i < 10 + n ? -i : i);
#pragma omp target data map(to : heap[0 : size])
  {
    uintptr_t here = (uintptr_t)heap;
    int moved = 0;
#pragma omp target map(heap[0 : 0]) map(from : moved)
    moved = (uintptr_t)heap != here && heap[1] == 1;
    EXPECT_EQ(moved, 1);
#pragma omp target map(from : moved)
    moved = (uintptr_t)heap != here && heap[2] == 2;
    EXPECT_EQ(moved, 1);
  }
}

static void check_sharing(void) {
  int first = 5, private_one = 6, scalar = 7, implicit[4] = {1, 2, 3, 4};
  double real = 2.5;
  struct { char c; long double wide; } odd = {'x', 1.25L};
  int seen = 0;
#pragma omp target firstprivate(first, odd) private(private_one) map(tofrom : seen)
  {
    private_one = first * 2;
    seen = private_one + scalar + (int)(real * 2) + (odd.c == 'x' && odd.wide == 1.25L);
    first = scalar = -1;
    implicit[2] = 30;
  }
  EXPECT_EQ(seen, 10 + 7 + 5 + 1);
  EXPECT_EQ(first, 5);
  EXPECT_EQ(scalar, 7);
  EXPECT_EQ(implicit[2], 30);
#pragma omp target defaultmap(tofrom : scalar)
  scalar += 1;
  EXPECT_EQ(scalar, 8);
#pragma omp target defaultmap(to : aggregate)
  implicit[2] = 31;
  EXPECT_EQ(implicit[2], 30);
}

static void check_device_pointers(int *heap) {
  int sum = 0, scalar = 3;
  for (int i = 0; i < size; i++) heap[i] = i;
  int *host_heap = heap;
#pragma omp target data map(tofrom : heap[0 : size], scalar) use_device_ptr(heap) use_device_addr(scalar)
  {
    EXPECT(heap != host_heap, "use_device_ptr");
    int *counterpart = &scalar;
#pragma omp target is_device_ptr(heap, counterpart) map(tofrom : sum)
    {
      sum = heap[7] + *counterpart;
      heap[8] = 80;
      *counterpart = 30;
    }
  }
  EXPECT_EQ(sum, 10);
  EXPECT_EQ(host_heap[8], 80);
  EXPECT_EQ(scalar, 30);
}

static void check_no_bytes(int n) {
  int variable[n], seen = 0;
  for (int i = 0; i < n; i++) variable[i] = i;
#pragma omp target map(tofrom : variable, seen) if (n > 0)
  for (int i = 0; i < n; i++) seen += variable[i]++;
  EXPECT_EQ(seen, n * (n - 1) / 2);
#pragma omp target if (n < 0) map(tofrom : seen)
  seen = omp_is_initial_device();
  EXPECT_EQ(seen, 1);
  int *nothing = NULL;
#pragma omp target map(tofrom : nothing[0 : 0], seen)
  seen = nothing == NULL;
  EXPECT_EQ(seen, 1);
}

int main(void) {
  expect_devices();
  int *heap = malloc(size * sizeof *heap);
  for (int device = 0; device < omp_get_num_devices(); device++) {
    omp_set_default_device(device);
    check_types();
    check_always();
    check_sections(heap, 20);
    check_sharing();
    check_device_pointers(heap);
    check_no_bytes(17);
  }
#pragma omp parallel num_threads(4)
  check_types();
  free(heap);
  return 0;
}
