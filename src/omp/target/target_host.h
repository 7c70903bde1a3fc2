// SPDX-License-Identifier: Apache-2.0
// Target constructs on the host (OpenMP 5.2 §13, §21.2.7): a target region runs as the initial task of an
// initial team of its own, with the host's data; data constructs have nothing to do. Device numbers are those of the
// specification; where there are no devices (src/offload) the host has number 0.
#pragma once

#include <cstdint>

#include "omp/thread/team.h"

namespace tulle::omp {

inline constexpr int kInitialDevice = -1;  // omp_initial_device
inline constexpr int kDefaultDevice = -5;  // omp_default_device: ask default-device-var

// Runs function(data) as a target region. `thread_limit` 0: none.
TULLE_MAY_SUSPEND void run_target(Thread* thread, RegionFunction function, void* data,
                                  uint32_t thread_limit);

// The same with the ICVs that its initial task is to have.
TULLE_MAY_SUSPEND void run_target(Thread* thread, RegionFunction function, void* data,
                                  uint32_t thread_limit, Icv icv);

}  // namespace tulle::omp
