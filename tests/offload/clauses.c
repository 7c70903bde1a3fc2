// SPDX-License-Identifier: Apache-2.0
// Clauses that only some programs use: has_device_addr, in_reduction, pointers in structures that structures point
// to, and sections of which nothing is left.
#include "on_device.h"

enum { size = 30 };

static void check_has_device_addr(void) {
  int scalar = 4, array[size];
  for (int i = 0; i < size; i++) array[i] = i;
#pragma omp target data map(tofrom : scalar, array) use_device_addr(scalar, array)
  {
#pragma omp target has_device_addr(scalar, array)
    {
      scalar += array[3];
      array[4] = 40;
    }
  }
  EXPECT_EQ(scalar, 7);
  EXPECT_EQ(array[4], 40);
  EXPECT_EQ(array[5], 5);
}

static void check_in_reduction(void) {
  int sum = 100;
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskgroup task_reduction(+ : sum)
  for (int i = 0; i < 10; i++) {
#pragma omp target in_reduction(+ : sum) firstprivate(i)
    sum += i;
#pragma omp task in_reduction(+ : sum) firstprivate(i)
    sum += i;
  }
  EXPECT_EQ(sum, 190);
}

typedef struct {
  int count;
  double *values;
} Leaf;
typedef struct {
  Leaf *leaf;
  int tag;
} Branch;

static void check_nested_structures(void) {
  Leaf leaf = {size, malloc(size * sizeof(double))};
  Branch branch = {&leaf, 3}, *root = &branch;
  for (int i = 0; i < size; i++) leaf.values[i] = i;
  double *values = leaf.values;
#pragma omp target enter data map(to : root[0 : 1])
#pragma omp target enter data map(to : root->leaf[0 : 1])
#pragma omp target enter data map(to : root->leaf->values[0 : size])
  double sum = 0;
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < root->leaf->count; i++) {
    sum += root->leaf->values[i];
    root->leaf->values[i] *= root->tag;
  }
  EXPECT(sum == size * (size - 1) / 2, "%g", sum);
  EXPECT(values[2] == 2, "%g", values[2]);
#pragma omp target exit data map(from : root->leaf->values[0 : size])
#pragma omp target exit data map(release : root->leaf[0 : 1])
#pragma omp target exit data map(release : root[0 : 1])
  EXPECT(branch.leaf == &leaf && leaf.values == values, "the host's pointers");
  for (int i = 0; i < size; i++) EXPECT(values[i] == 3 * i, "%d: %g", i, values[i]);
  free(values);
}

static void check_no_length(int n) {
  int data[size], *none = data + size, seen = -1;
  (void)none;
  for (int i = 0; i < size; i++) data[i] = i;
#pragma omp target enter data map(to : data[0 : n])
  EXPECT_EQ(omp_target_is_present(data, omp_get_default_device()), 0);
#pragma omp target map(tofrom : data[0 : size]) map(to : none[0 : n]) map(from : seen)
  seen = data[size - 1];
  EXPECT_EQ(seen, size - 1);
#pragma omp target exit data map(from : data[0 : n])
#pragma omp target update to(data[0 : n])
}

int main(void) {
  expect_devices();
  for (int device = 0; device < omp_get_num_devices(); device++) {
    omp_set_default_device(device);
    for (int round = 0; round < 3; round++) {
      check_has_device_addr();
      check_in_reduction();
      check_nested_structures();
      check_no_length(0);
    }
  }
  return 0;
}
