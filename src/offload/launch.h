// SPDX-License-Identifier: Apache-2.0
// Regions that nobody waits for at once: of tasks with an event, which the end of the region fulfills.
#pragma once

#include "offload/region.h"
#include "omp/queue/task_record.h"

namespace tulle::offload {

// A region of a task (kTaskDetachable) that is kept in the task's data: so many bytes, filled when the task is
// made.
size_t launch_bytes(const Region& region);
void fill_launch(omp::Task* task, Device& device, const Region& region);

// The body of such a task.
TULLE_MAY_SUSPEND void launch(void* data);

// A region that the host has a version of, which is called where the device is lost with it.
struct Version {
  void (*call)(void* argument);
  void* argument;
};

// Begins the region of a task, whose event it fulfills at its end. False: the host's version is to run now, and
// the event is the caller's.
TULLE_MAY_SUSPEND bool offer_launch(Device& device, const Region& region, omp::Task* task, Version on_host);

}  // namespace tulle::offload
