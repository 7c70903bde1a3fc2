// SPDX-License-Identifier: Apache-2.0
// Target regions on devices: what they map gets its counterparts, a block in the device's memory says where, the
// device calls the region's function with it, and what is mapped goes back.
#pragma once

#include "offload/maps.h"
#include "omp/queue/task_record.h"

namespace tulle::offload {

struct Region {
  omp::RegionFunction function;
  uint32_t thread_limit;
  Maps maps;  // items are the region's own
};

// Runs it and waits for its end, as TULLE_TARGET_WAIT says.
TULLE_MAY_SUSPEND void run_region(Device& device, const Region& region);

// A region of a task with an event (kTaskDetachable), which the end of the region fulfills. It is kept in
// the task's data: so many bytes, filled when the task is made.
size_t launch_bytes(const Region& region);
void fill_launch(omp::Task* task, Device& device, const Region& region);

// The body of such a task.
TULLE_MAY_SUSPEND void launch(void* data);

}  // namespace tulle::offload
