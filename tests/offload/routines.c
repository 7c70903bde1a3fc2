// SPDX-License-Identifier: Apache-2.0
// Device memory routines between the host and devices, and what they refuse.
#include <errno.h>
#include <limits.h>
#include <string.h>
#include "on_device.h"

static void check_copies(int host, int device) {
  int source[24], target[24] = {0}, *block = omp_target_alloc(sizeof source, device);
  EXPECT(block != NULL, "omp_target_alloc");
  for (int i = 0; i < 24; i++) source[i] = i;
  EXPECT_EQ(omp_target_memcpy(block, source, 20 * sizeof(int), 4 * sizeof(int), 0, device, host), 0);
  EXPECT_EQ(omp_target_memcpy(target, block, 20 * sizeof(int), 0, 4 * sizeof(int), host, device), 0);
  for (int i = 0; i < 20; i++) EXPECT_EQ(target[i], i);
  int sum = 0;
#pragma omp target device(device) is_device_ptr(block) map(from : sum)
  sum = block[4] + block[23];
  EXPECT_EQ(sum, 19);
  memset(target, 0, sizeof target);
  size_t volume[2] = {2, 3}, offsets[2] = {1, 2}, zero[2] = {0, 0}, shape[2] = {4, 6};
  EXPECT_EQ(omp_target_memcpy(block, source, sizeof source, 0, 0, device, host), 0);
  EXPECT_EQ(omp_target_memcpy_rect(target, block, sizeof(int), 2, volume, zero, offsets, shape, shape, host,
                                   device), 0);
  EXPECT_EQ(target[0], 8);
  EXPECT_EQ(target[8], 16);
  EXPECT_EQ(target[9], 0);
  omp_target_free(block, device);
}

static void check_association(int device) {
  int data[10] = {1, 2, 3}, other[4] = {0}, *block = omp_target_alloc(sizeof data + 8, device);
  EXPECT_EQ(omp_target_is_present(data, device), 0);
  EXPECT_EQ(omp_target_associate_ptr(data, block, sizeof data, 8, device), 0);
  EXPECT_EQ(omp_target_is_present(data, device), 1);
  EXPECT_EQ(omp_target_associate_ptr(data + 5, block, sizeof data, 0, device), EINVAL);
#pragma omp target update to(data) device(device)
  int seen = 0;
#pragma omp target map(tofrom : data) map(from : seen) device(device)
  {
    seen = data[2];
    data[2] = 30;
  }
  EXPECT_EQ(seen, 3);
  EXPECT_EQ(data[2], 3);
#pragma omp target device(device) is_device_ptr(block) map(from : seen)
  seen = block[4];
  EXPECT_EQ(seen, 30);
  EXPECT_EQ(omp_target_disassociate_ptr(other, device), EINVAL);
  EXPECT_EQ(omp_target_disassociate_ptr(data, device), 0);
  EXPECT_EQ(omp_target_is_present(data, device), 0);
  omp_target_free(block, device);
}

int main(void) {
  expect_devices();
  int devices = omp_get_num_devices(), host = omp_get_initial_device(), value = 0;
  for (int device = 0; device < devices; device++) {
    for (int round = 0; round < 3; round++) {
      check_copies(host, device);
      check_association(device);
    }
  }
  EXPECT_EQ(omp_target_memcpy(&value, &value, 1, 0, 0, devices + 1, host), EINVAL);
  EXPECT(omp_target_alloc(8, devices + 1) == NULL, "there is no such device");
  EXPECT(omp_target_alloc(SIZE_MAX / 2, 0) == NULL, "there is no such memory");
  return 0;
}
