// SPDX-License-Identifier: Apache-2.0
// What only some compilers have of maps: mappers of the program's own, nested ones too, and updates of sections
// with strides and of several dimensions.
#include <stdlib.h>
#include "on_device.h"

typedef struct {
  int count;
  double *items;
} Vector;
#pragma omp declare mapper(Vector v) map(v, v.items[0 : v.count])

typedef struct {
  Vector rows[2];
  int tag;
} Pair;
#pragma omp declare mapper(both : Pair p) map(p.tag) map(mapper(default), tofrom : p.rows[0 : 2])

static Vector vector_of(int count, double first) {
  Vector made = {count, malloc((size_t)count * sizeof(double))};
  for (int i = 0; i < count; i++) made.items[i] = first + i;
  return made;
}

static void check_mapper(void) {
  Vector v = vector_of(40, 1);
  uintptr_t there = 0;
#pragma omp target map(tofrom : v) map(from : there)
  {
    there = (uintptr_t)v.items;
    for (int i = 0; i < v.count; i++) v.items[i] *= 2;
  }
  EXPECT_MOVED(v.items, there);
  for (int i = 0; i < 40; i++) EXPECT(v.items[i] == 2.0 * (1 + i), "%d: %f", i, v.items[i]);
  free(v.items);
}

static void check_data_and_update(void) {
  Vector v = vector_of(10, 0);
#pragma omp target data map(to : v)
  {
#pragma omp target
    for (int i = 0; i < v.count; i++) v.items[i] += 100;
    EXPECT(v.items[3] == 3, "%f", v.items[3]);
#pragma omp target update from(v)
    EXPECT(v.items[3] == 103, "%f", v.items[3]);
    v.items[4] = -1;
#pragma omp target update to(v)
#pragma omp target
    v.items[5] = v.items[4];
#pragma omp target update from(v)
  }
  EXPECT(v.items[5] == -1, "%f", v.items[5]);
  EXPECT_EQ(omp_target_is_present(v.items, omp_get_default_device()), 0);
  free(v.items);
}

static void check_array_of_mapped(void) {
  Vector all[3];
  for (int i = 0; i < 3; i++) all[i] = vector_of(5 + i, 10 * i);
#pragma omp target map(tofrom : all[0 : 3])
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < all[i].count; j++) all[i].items[j] += 1;
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 5 + i; j++) EXPECT(all[i].items[j] == 10 * i + j + 1, "%d %d", i, j);
    EXPECT_EQ(omp_target_is_present(all[i].items, omp_get_default_device()), 0);
    free(all[i].items);
  }
}

static void check_nested(void) {
  Pair p = {{vector_of(4, 0), vector_of(6, 50)}, 7};
  int seen = 0;
#pragma omp target map(mapper(both), tofrom : p) map(from : seen)
  {
    seen = p.tag;
    p.rows[0].items[3] = 30;
    p.rows[1].items[5] = 31;
  }
  EXPECT_EQ(seen, 7);
  EXPECT(p.rows[0].items[3] == 30, "%f", p.rows[0].items[3]);
  EXPECT(p.rows[1].items[5] == 31, "%f", p.rows[1].items[5]);
  free(p.rows[0].items);
  free(p.rows[1].items);
}

// Sections that begin with a row: clang 22 takes an offset for as many strides.
static void check_strides(void) {
  int line[20] = {0}, plane[6][8] = {{0}};
#pragma omp target data map(to : line, plane)
  {
#pragma omp target
    {
      for (int i = 0; i < 20; i++) line[i] = i + 1;
      for (int i = 0; i < 48; i++) plane[i / 8][i % 8] = i + 1;
    }
#pragma omp target update from(line[0 : 5 : 3])
#pragma omp target update from(plane[0 : 3 : 2][2 : 4])
  }
  for (int i = 0; i < 20; i++) EXPECT(line[i] == (i % 3 == 0 && i < 15 ? i + 1 : 0), "%d: %d", i, line[i]);
  for (int i = 0; i < 48; i++) {
    int row = i / 8, column = i % 8;
    int copied = row % 2 == 0 && column >= 2 && column < 6;
    EXPECT(plane[row][column] == (copied ? i + 1 : 0), "%d %d: %d", row, column, plane[row][column]);
  }
}

int main(void) {
  expect_devices();
  for (int device = 0; device < omp_get_num_devices(); device++) {
    omp_set_default_device(device);
    for (int round = 0; round < 5; round++) {
      check_mapper();
      check_data_and_update();
      check_array_of_mapped();
      check_nested();
      check_strides();
    }
  }
  return 0;
}
