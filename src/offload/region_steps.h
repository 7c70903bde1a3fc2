// SPDX-License-Identifier: Apache-2.0
// What all ways to run a region on a device have in common.
#pragma once

#include "offload/region.h"
#include "omp/queue/task_record.h"

namespace tulle::offload {

inline constexpr const char* kNoMemory = "no memory for what a target region maps";
inline constexpr const char* kLost = "it is lost with a target region";

// All that is mapped is there and the block, if there is one, filled. False: there is no memory, and nothing is.
TULLE_MAY_SUSPEND bool prepare(Device& device, Maps maps, void* block);

// The device has no such function, of which everybody has been told.
TULLE_MAY_SUSPEND bool lacks(Device& device, omp::RegionFunction function);

// One that is lost runs nothing, and everybody has been told: the process ends where the host may not stand in.
bool is_lost(const Device& device);

// Of a region that the task encounters.
inline uint8_t priority_in(const omp::Task* task) {
  return static_cast<uint8_t>(task->priority < kPriorities ? task->priority : kPriorities - 1);
}

// The host calls the region's function with its own data.
TULLE_MAY_SUSPEND void run_on_host(Device& device, const Region& region);

// The device is lost with the region half done: what was mapped for it alone is still here as it was before.
TULLE_MAY_SUSPEND void run_again(Device& device, const Region& region);

// The host's own version of the region is about to run, for the reason `why`.
TULLE_MAY_SUSPEND void leave_region(Device& device, Maps maps, const char* why);

}  // namespace tulle::offload
