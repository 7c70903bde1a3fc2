// SPDX-License-Identifier: Apache-2.0
// Timing routines (OpenMP 5.2 §18.10).
#include "abi/api/entry.h"
#include "os/clock.h"

TULLE_QUERY(double, omp_get_wtime, "OMP_2.0") {
  return static_cast<double>(tulle::os::now()) * 1e-9;
}

TULLE_QUERY(double, omp_get_wtick, "OMP_2.0") { return 1e-9; }
