// SPDX-License-Identifier: Apache-2.0
// Teams and leagues of several dimensions (drafts of OpenMP 6.1): there is one, and in all others one thread and one
// team, as in GCC 17's development version, whose names, types and versions these are (autumn 2026). They may still
// change. Fortran calls the C routines, but for those that take a logical.
#include "abi/api/entry.h"
#include "offload/device_memory.h"
#include "offload/devices.h"

using namespace tulle;

extern "C" {
int32_t api_omp_get_num_teams();
int32_t api_omp_get_team_num();
int32_t api_omp_get_num_threads();
int32_t api_omp_get_thread_num();
int32_t api_omp_get_thread_limit();
int32_t api_omp_get_default_device();
}

namespace {

constexpr int kDefaultDevice = -5;  // omp_default_device

bool is_device(int number) { return offload::is_host(number) || offload::device(number) != nullptr; }

// Of dimensions, of threads or teams in the first one, which is 0; there is no bound but the type's.
int32_t supported(int device, int dim) {
  if (!is_device(device)) return 0;
  return dim == 0 ? INT32_MAX : 1;
}
int32_t dimensions(int device) { return is_device(device) ? 1 : 0; }

// From the host. Where a device's CPUs are to each other is not asked.
int32_t distance_of(int device) {
  if (device == kDefaultDevice) device = api_omp_get_default_device();
  if (offload::is_host(device)) return 0;
  return offload::device(device) != nullptr ? 1 : -1;
}

}  // namespace

#define TULLE_DIM(name, whole, other) \
  TULLE_GNU(int32_t, name, "OMP_6.1", int dim) { return dim == 0 ? whole() : other; }
TULLE_DIM(omp_get_num_teams_dim, api_omp_get_num_teams, 1)
TULLE_DIM(omp_get_team_num_dim, api_omp_get_team_num, 0)
TULLE_DIM(omp_get_num_threads_dim, api_omp_get_num_threads, 1)
TULLE_DIM(omp_get_thread_num_dim, api_omp_get_thread_num, 0)
TULLE_DIM(omp_get_thread_limit_dim, api_omp_get_thread_limit, 1)
#undef TULLE_DIM

TULLE_GNU(int32_t, omp_get_supported_teams_dim, "OMP_6.1", int device, int dim) { return supported(device, dim); }
TULLE_GNU(int32_t, omp_get_supported_threads_dim, "OMP_6.1", int device, int dim) { return supported(device, dim); }

// Native or not is the same.
TULLE_GNU(int32_t, omp_get_supported_active_team_dims, "OMP_6.1", int device, int) { return dimensions(device); }
TULLE_GNU(int32_t, omp_get_supported_active_league_dims, "OMP_6.1", int device, int) { return dimensions(device); }
TULLE_GNU(int32_t, omp_get_supported_active_team_dims_, "OMP_6.1", const int32_t* device, const int32_t*) {
  return dimensions(*device);
}
TULLE_GNU(int32_t, omp_get_supported_active_league_dims_, "OMP_6.1", const int32_t* device, const int32_t*) {
  return dimensions(*device);
}

TULLE_GNU(void, omp_get_device_distances, "OMP_6.1", int count, const int* devices, int* distances) {
  for (int i = 0; i < count; ++i) distances[i] = distance_of(devices[i]);
}
