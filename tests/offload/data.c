// SPDX-License-Identifier: Apache-2.0
// Data that stay on the device between regions: reference counts of enter data, exit data and target data,
// release and delete, update of all or a part, and what omp_target_is_present says of it.
#include "on_device.h"

enum { size = 50 };

static int present(const void *address) {
  return omp_target_is_present(address, omp_get_default_device());
}

static void check_counts(int *data) {
  for (int i = 0; i < size; i++) data[i] = i;
  EXPECT_EQ(present(data), 0);
#pragma omp target enter data map(to : data[0 : size])
  EXPECT_EQ(present(data + size - 1), 1);
  EXPECT_EQ(present(data + size), 0);
#pragma omp target enter data map(to : data[0 : size])
#pragma omp target
  data[1] = 11;
  EXPECT_EQ(data[1], 1);
#pragma omp target exit data map(from : data[0 : size])
  EXPECT_EQ(data[1], 1);
  EXPECT_EQ(present(data), 1);
#pragma omp target exit data map(from : data[0 : size])
  EXPECT_EQ(data[1], 11);
  EXPECT_EQ(present(data), 0);
#pragma omp target exit data map(from : data[0 : size])
}

static void check_release_and_delete(int *data) {
#pragma omp target enter data map(to : data[0 : size])
#pragma omp target enter data map(to : data[0 : size])
#pragma omp target
  data[2] = 22;
#pragma omp target exit data map(release : data[0 : size])
  EXPECT_EQ(present(data), 1);
#pragma omp target exit data map(delete : data[0 : size])
  EXPECT_EQ(present(data), 0);
  EXPECT_EQ(data[2], 2);
#pragma omp target enter data map(alloc : data[0 : size])
#pragma omp target exit data map(release : data[0 : size])
  EXPECT_EQ(present(data), 0);
}

static void check_update(int *data) {
  int seen = 0;
#pragma omp target data map(to : data[0 : size])
  {
    data[3] = 33;
    data[4] = 44;
#pragma omp target update to(data[4 : 1])
#pragma omp target map(tofrom : seen)
    {
      seen = data[3] * 100 + data[4];
      data[5] = 55;
      data[6] = 66;
    }
    EXPECT_EQ(seen, 344);
#pragma omp target update from(data[6 : 2])
    EXPECT_EQ(data[5], 5);
    EXPECT_EQ(data[6], 66);
  }
  EXPECT_EQ(data[5], 5);
#pragma omp target update from(data[0 : size])
  EXPECT_EQ(data[5], 5);
}

static void check_nested(int *data) {
  int outer = 1, inner = 2;
#pragma omp target data map(tofrom : outer, data[0 : size])
  {
#pragma omp target data map(tofrom : inner) map(from : outer)
    {
#pragma omp target map(tofrom : inner, outer)
      inner += outer++;
      EXPECT_EQ(inner, 2);
    }
    EXPECT_EQ(inner, 3);
    EXPECT_EQ(outer, 1);
#pragma omp target data if (0) map(tofrom : inner)
    inner++;
    EXPECT_EQ(inner, 4);
  }
  EXPECT_EQ(outer, 2);
}

// Each task ends its own region, though they take turns on threads.
static void check_regions_of_tasks(void) {
#pragma omp parallel num_threads(4)
#pragma omp single
  for (int i = 0; i < 40; i++) {
#pragma omp task firstprivate(i)
    {
      int value = i;
#pragma omp target data map(tofrom : value)
      {
#pragma omp target map(tofrom : value)
        value *= 3;
#pragma omp taskyield
      }
      EXPECT_EQ(value, 3 * i);
    }
  }
}

int main(void) {
  expect_devices();
  int *data = malloc(size * sizeof *data);
  for (int device = 0; device < omp_get_num_devices(); device++) {
    omp_set_default_device(device);
    check_counts(data);
    check_release_and_delete(data);
    check_update(data);
    check_nested(data);
    check_regions_of_tasks();
    EXPECT_EQ(present(data), 0);
  }
  free(data);
  return 0;
}
