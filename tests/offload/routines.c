// SPDX-License-Identifier: Apache-2.0
// Device memory routines between the host and devices, and what they refuse.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <string.h>
#include "on_device.h"

enum { rows = 40, columns = 20, cells = rows * columns, marker = -5 };

#pragma omp declare target
int declared[cells];
#pragma omp end declare target

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

// GCC 12 knows none of the routines that are asked for so.
static void find_routine(void *function, const char *name) {
  *(void **)function = dlsym(RTLD_DEFAULT, name);
  EXPECT(*(void **)function != NULL, "%s", name);
}

static void check_mapped(int device) {
  void *(*mapped)(const void *, int);
  find_routine(&mapped, "omp_get_mapped_ptr");
  int data[10] = {0};
  uintptr_t there = 0;
  EXPECT(mapped(data, device) == NULL, "nothing is mapped yet");
  EXPECT(mapped(data, omp_get_initial_device()) == data, "on the host");
#pragma omp target data map(to : data) device(device)
  {
#pragma omp target map(to : data) map(from : there) device(device)
    there = (uintptr_t)&data[3];
    EXPECT((uintptr_t)mapped(&data[3], device) == there, "it is elsewhere on the device");
  }
  EXPECT(mapped(data, device) == NULL, "nothing is mapped any more");
}

// A cluster's code may read what is the host's.
static void check_accessible(int device) {
  int (*accessible)(const void *, size_t, int);
  find_routine(&accessible, "omp_target_is_accessible");
  static int value;
  int seen = 0;
  value = 7;
  EXPECT(accessible(&value, sizeof value, omp_get_initial_device()) == 1, "on the host");
  if (!accessible(&value, sizeof value, device)) return;
  uintptr_t address = (uintptr_t)&value;
#pragma omp target firstprivate(address) map(from : seen) device(device)
  seen = *(int *)address;
  EXPECT_EQ(seen, 7);
}

static void check_asynchronous_copies(int host, int device) {
  int (*copy)(void *, const void *, size_t, size_t, size_t, int, int, int, void *);
  find_routine(&copy, "omp_target_memcpy_async");
  int source[100], target[100] = {0}, *block = omp_target_alloc(sizeof source, device);
  for (int i = 0; i < 100; i++) source[i] = 3 * i;
  EXPECT_EQ(copy(block, source, sizeof source, 0, 0, device, host, 0, NULL), 0);
#pragma omp taskwait
  EXPECT_EQ(copy(target, block, sizeof target, 0, 0, host, device, 0, NULL), 0);
#pragma omp taskwait
  for (int i = 0; i < 100; i++) EXPECT_EQ(target[i], 3 * i);
  omp_target_free(block, device);
}

static void set_bytes(void *block, int value, size_t bytes, int device) {
  void *(*set)(void *, int, size_t, int);
  find_routine(&set, "omp_target_memset");
  EXPECT(set(block, value, bytes, device) == block, "omp_target_memset returns the block");
}

static void *declared_on(int device) {
  void *there = NULL;
#pragma omp target data use_device_addr(declared) device(device)
  there = &declared;
  return there;
}

static int declared_there(int device, int i) {
  int seen = 0;
#pragma omp target map(from : seen) device(device)
  seen = declared[i];
  return seen;
}

// The device's variable, and not the host's of the same name, unless they are one.
static void expect_there(int device, int i, int value, int is_host_own) {
  EXPECT_EQ(declared_there(device, i), value);
  EXPECT_EQ(declared[i], is_host_own ? value : marker);
}

static int mark_host_own(int device) {
#pragma omp target device(device)
  for (int i = 0; i < cells; i++) declared[i] = i;
  for (int i = 0; i < cells; i++) declared[i] = marker;
  return declared_there(device, cells - 1) == marker;
}

static void check_variable(int host, int device) {
  int is_host_own = mark_host_own(device), *there = declared_on(device), source[cells], *block;
  for (int i = 0; i < cells; i++) source[i] = 1000 + i;
  set_bytes(there + 10, 7, (cells - 20) * sizeof(int), device);
  expect_there(device, 10, 0x07070707, is_host_own);
  expect_there(device, cells - 11, 0x07070707, is_host_own);
  EXPECT_EQ(declared_there(device, cells - 10), is_host_own ? marker : cells - 10);

  size_t volume[2] = {3, 4}, at[2] = {30, 15}, from[2] = {1, 2}, shape[2] = {rows, columns};
  EXPECT_EQ(omp_target_memcpy_rect(there, source, sizeof(int), 2, volume, at, from, shape, shape, device, host), 0);
  expect_there(device, 30 * columns + 15, 1000 + columns + 2, is_host_own);
  expect_there(device, 32 * columns + 18, 1000 + 3 * columns + 5, is_host_own);
  EXPECT_EQ(omp_target_memcpy_rect(source, there, sizeof(int), 2, volume, from, at, shape, shape, host, device), 0);
  EXPECT_EQ(source[3 * columns + 5], 1000 + 3 * columns + 5);

  block = omp_target_alloc(sizeof source, device);
  EXPECT_EQ(omp_target_memcpy(block, source, sizeof source, 0, 0, device, host), 0);
  EXPECT_EQ(omp_target_memcpy(there, block, sizeof source, 0, 0, device, device), 0);
  expect_there(device, cells - 1, 1000 + cells - 1, is_host_own);
  for (int i = 0; i < cells; i++) source[i] = 0;
  EXPECT_EQ(omp_target_memcpy(source, there, sizeof source, 0, 0, host, device), 0);
  EXPECT_EQ(source[cells - 1], 1000 + cells - 1);
  EXPECT_EQ(omp_target_memcpy_rect(block, there, sizeof(int), 2, volume, from, at, shape, shape, device, device), 0);
  EXPECT_EQ(omp_target_memcpy(source, block, sizeof source, 0, 0, host, device), 0);
  EXPECT_EQ(source[columns + 2], 1000 + 30 * columns + 15);
  omp_target_free(block, device);
}

// From one device's variable to another's.
static void check_between(int device, int other) {
  int other_is_host_own = mark_host_own(other);
  if (other_is_host_own || mark_host_own(device)) return;  // one variable for both
  EXPECT_EQ(omp_target_memcpy(declared_on(other), declared_on(device), sizeof declared / 2, sizeof declared / 2, 0,
                              other, device), 0);
  expect_there(other, cells / 2 + 3, 3, 0);
  set_bytes(declared_on(device), 1, sizeof declared, device);
  size_t volume[1] = {5}, at[1] = {2}, from[1] = {4}, shape[1] = {cells};
  EXPECT_EQ(omp_target_memcpy_rect(declared_on(other), declared_on(device), sizeof(int), 1, volume, at, from, shape,
                                   shape, other, device), 0);
  expect_there(other, 6, 0x01010101, 0);
  expect_there(other, 7, 7, 0);
}

int main(void) {
  expect_devices();
  int devices = omp_get_num_devices(), host = omp_get_initial_device(), value = 0;
  for (int device = 0; device < devices; device++) {
    for (int round = 0; round < 3; round++) {
      check_copies(host, device);
      check_association(device);
      check_mapped(device);
      check_accessible(device);
      check_asynchronous_copies(host, device);
      check_variable(host, device);
    }
  }
  if (devices > 1) check_between(0, 1);
  EXPECT_EQ(omp_target_memcpy(&value, &value, 1, 0, 0, devices + 1, host), EINVAL);
  EXPECT(omp_target_alloc(8, devices + 1) == NULL, "there is no such device");
  EXPECT(omp_target_alloc(SIZE_MAX / 2, 0) == NULL, "there is no such memory");
  return 0;
}
