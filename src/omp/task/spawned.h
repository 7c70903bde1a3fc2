// SPDX-License-Identifier: Apache-2.0
// Tasks beside all regions, for libraries that act by themselves (ALPI's alpi_task_spawn): each has an OS thread
// of its own, the initial thread of OpenMP that it is there, and may be called again after it returned.
#pragma once

#include <cstdint>

#include "omp/queue/task_record.h"

namespace tulle::omp {

enum class Again : uint32_t { when_unblocked, at_once, after_time, without_events };

struct SpawnedBody {
  TaskFunction body;
  void* data;
  TaskFunction completed;
  void* completed_data;
};

// False: there is no memory for it. The label names the OS thread; may be null.
bool spawn(const SpawnedBody& body, const char* label);

// The functions below return false where `task` is no spawned one.

// By its own body: how it is called again, and that it is.
bool set_again(const Task* task, Again again, uint64_t argument);
bool call_again(const Task* task);

// Any OS thread. The last one that came ends the task if its body has ended.
bool add_spawned_events(const Task* task, uint64_t count);
bool drop_spawned_events(const Task* task, uint64_t count);
bool has_spawned_events(const Task* task, bool& has);

}  // namespace tulle::omp
