// SPDX-License-Identifier: Apache-2.0
// Structures on devices: whole ones, some of their elements, pointers in them that are attached to what they
// point to, and stay the host's on the host whatever is copied.
#include "on_device.h"

enum { size = 20 };

struct vector {
  int n;
  double *x;
  int *y;
  double scale;
};

static struct vector make(void) {
  struct vector v = {size, malloc(size * sizeof(double)), malloc(size * sizeof(int)), 2.0};
  for (int i = 0; i < size; i++) {
    v.x[i] = i;
    v.y[i] = -i;
  }
  return v;
}

static void drop(struct vector v) {
  free(v.x);
  free(v.y);
}

static void check_whole(void) {
  struct vector v = make();
  double *host_x = v.x;
#pragma omp target map(tofrom : v) map(tofrom : v.x[0 : size]) map(to : v.y[0 : size])
  {
    for (int i = 0; i < v.n; i++) v.x[i] = v.scale * v.x[i] + v.y[i];
    v.n = 7;
  }
  EXPECT_EQ(v.n, 7);
  EXPECT(v.x == host_x, "the host's pointer");
  for (int i = 0; i < size; i++) EXPECT(v.x[i] == i, "x[%d] = %g", i, v.x[i]);
  drop(v);
}

static void check_elements(void) {
  struct vector v = make();
  int n = 0;
#pragma omp target map(to : v.scale) map(tofrom : v.n) map(tofrom : n)
  {
    n = v.n;
    v.n = (int)v.scale + 1;
  }
  EXPECT_EQ(n, size);
  EXPECT_EQ(v.n, 3);
#pragma omp target enter data map(to : v.n, v.scale)
#pragma omp target map(tofrom : v.n)
  v.n = 40;
  EXPECT_EQ(v.n, 3);
#pragma omp target exit data map(from : v.n) map(release : v.scale)
  EXPECT_EQ(v.n, 40);
  drop(v);
}

// A part that is deleted is gone, whatever else holds it.
static void check_deleted(void) {
  struct vector v = make();
  int device = omp_get_default_device();
  for (int times = 0; times < 2; times++) {
#pragma omp target enter data map(to : v.n, v.scale)
  }
#pragma omp target map(tofrom : v.n, v.scale)
  {
    v.n = 3;
    v.scale = 4;
  }
  EXPECT_EQ(omp_target_is_present(&v.n, device), 1);
#pragma omp target exit data map(delete : v.n, v.scale)
  EXPECT_EQ(omp_target_is_present(&v.n, device), 0);
  EXPECT_EQ(omp_target_is_present(&v.scale, device), 0);
  EXPECT_EQ(v.n, size);
#pragma omp target enter data map(to : v.n, v.scale)
#pragma omp target map(tofrom : v.n, v.scale)
  v.n = 5;
#pragma omp target exit data map(from : v.n) map(delete : v.scale)
  EXPECT_EQ(v.n, 5);
  EXPECT_EQ(omp_target_is_present(&v.n, device), 0);
  EXPECT_EQ(omp_target_is_present(&v.scale, device), 0);
  drop(v);
}

// The pointer stays attached while data and structure are copied over it.
static void check_kept(void) {
  struct vector v = make(), *p = &v;
  double *host_x = v.x;
#pragma omp target enter data map(to : p[0 : 1])
#pragma omp target enter data map(to : p->x[0 : size])
  p->scale = 10;
#pragma omp target update to(p[0 : 1])
#pragma omp target
  for (int i = 0; i < p->n; i++) p->x[i] *= p->scale;
#pragma omp target update from(p[0 : 1])
  EXPECT(v.x == host_x, "the host's pointer after update");
#pragma omp target exit data map(from : p->x[0 : size])
#pragma omp target exit data map(from : p[0 : 1])
  EXPECT(v.x == host_x, "the host's pointer after exit data");
  for (int i = 0; i < size; i++) EXPECT(v.x[i] == 10 * i, "x[%d] = %g", i, v.x[i]);
  drop(v);
}

// An array of structures, each with data of its own.
static void check_array(void) {
  struct vector all[3];
  double sum = 0;
  for (int k = 0; k < 3; k++) all[k] = make();
#pragma omp target enter data map(to : all)
  for (int k = 0; k < 3; k++) {
#pragma omp target enter data map(to : all[k].x[0 : size])
  }
#pragma omp target map(tofrom : sum)
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < size; i++) sum += all[k].x[i]++;
  EXPECT(sum == 3 * size * (size - 1) / 2, "the sum is %g", sum);
  for (int k = 0; k < 3; k++) {
    EXPECT(all[k].x[1] == 1, "untouched");
#pragma omp target exit data map(from : all[k].x[0 : size])
    EXPECT(all[k].x[1] == 2, "came back");
  }
#pragma omp target exit data map(release : all)
  for (int k = 0; k < 3; k++) drop(all[k]);
}

int main(void) {
  expect_devices();
  for (int device = 0; device < omp_get_num_devices(); device++) {
    omp_set_default_device(device);
    for (int round = 0; round < 3; round++) {
      check_whole();
      check_elements();
      check_deleted();
      check_kept();
      check_array();
    }
  }
  return 0;
}
