// SPDX-License-Identifier: Apache-2.0
// private, firstprivate and shared on a region, with structures and arrays, proc_bind and an
// orphaned callee (OpenMP 5.2 §5.4).
#include <omp.h>
#include <string.h>
#include "expect.h"

struct Record {
  char tag;
  double values[40];
  long long last;
};

static int sum_orphaned(const int *numbers, int count) {
  int sum = 0;
  for (int i = 0; i < count; i++) sum += numbers[i];
  return sum + omp_get_thread_num();
}

static void check_firstprivate(void) {
  struct Record record = {.tag = 'r', .last = 77};
  int numbers[100], *address_outside = numbers;
  for (int i = 0; i < 100; i++) numbers[i] = i;
  for (int i = 0; i < 40; i++) record.values[i] = i * 0.5;
#pragma omp parallel firstprivate(record, numbers)
  {
    EXPECT(numbers != address_outside, "a firstprivate array is the original");
    EXPECT_EQ(record.tag, 'r');
    EXPECT_EQ(record.last, 77);
    for (int i = 0; i < 40; i++) EXPECT(record.values[i] == i * 0.5, "element %d", i);
    int sum = sum_orphaned(numbers, 100);
    EXPECT_EQ(sum, 4950 + omp_get_thread_num());
    memset(&record, 0, sizeof record);
    memset(numbers, 0xff, sizeof numbers);
  }
  EXPECT_EQ(record.last, 77);
  EXPECT_EQ(numbers[99], 99);
}

static void check_private_distinct(int n) {
  int own = -1;
  int *addresses[64] = {0};
#pragma omp parallel private(own) shared(addresses) proc_bind(spread)
  {
    own = omp_get_thread_num();
    addresses[own] = &own;
#pragma omp barrier
    EXPECT_EQ(own, omp_get_thread_num());
    for (int i = 0; i < n; i++)
      EXPECT(i == own || addresses[i] != &own, "threads %d and %d share a private", i, own);
#pragma omp barrier
  }
  EXPECT_EQ(own, -1);
}

int main(void) {
  omp_set_dynamic(0);
  for (int round = 0; round < 3; round++) {
    check_firstprivate();
    check_private_distinct(omp_get_max_threads());
  }
  return 0;
}
