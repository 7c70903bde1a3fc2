// SPDX-License-Identifier: Apache-2.0
// What a list of devices means on this machine: clusters have the CPUs that they name, processes share those that
// are left, in equal parts; the ranks of mpirun but the first one are devices as they come. Makes nothing.
#pragma once

#include "base/array.h"
#include "base/cpu_set.h"
#include "omp/icv/device_list.h"
#include "os/cpus.h"

namespace tulle::offload {

struct PlannedDevice {
  omp::DeviceKind kind;
  CpuSet cpus;
  int rank = 0;  // that is the device; 0: another kind
};

// Null: the plan has a device for each that the list asks for. Otherwise why they cannot be had, and it is empty.
const char* plan_devices(const char* list, const os::UsableCpus& usable, Array<PlannedDevice>& plan);

}  // namespace tulle::offload
