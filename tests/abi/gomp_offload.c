// SPDX-License-Identifier: Apache-2.0
// A target region for the device that the first argument says, `chosen` for the host as the default; what
// OMP_TARGET_OFFLOAD makes of it is the test's to check. Without devices the host is number 0, which is the default
// (libgomp 12).
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  int ran = 0;
  int chosen = argc >= 2 && strcmp(argv[1], "chosen") == 0;
  if (chosen) omp_set_default_device(omp_get_initial_device());
  if (argc < 2 || chosen || strcmp(argv[1], "default") == 0) {
#pragma omp target map(tofrom : ran)
    ran = omp_is_initial_device();
  } else {
    int device = strcmp(argv[1], "host") == 0 ? omp_get_initial_device() : atoi(argv[1]);
#pragma omp target map(tofrom : ran) device(device)
    ran = omp_is_initial_device();
  }
  puts(ran ? "ran on the host" : "did not run");
  return 0;
}
