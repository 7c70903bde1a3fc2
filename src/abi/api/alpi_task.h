// SPDX-License-Identifier: Apache-2.0
// ALPI's tasks are the records of OpenMP's.
#pragma once

#include "omp/task/task_bare.h"
#include "tulle/alpi.h"

namespace tulle::api {

inline omp::Task* record_of(alpi_task* task) { return reinterpret_cast<omp::Task*>(task); }
inline omp::Task* current_record() { return omp::recorded_task(omp::self_or_attach()); }

// Null where `task` is not the calling one.
inline omp::Task* own_record(alpi_task* task) {
  omp::Task* own = current_record();
  return own == record_of(task) ? own : nullptr;
}

}  // namespace tulle::api
