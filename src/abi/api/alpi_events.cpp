// SPDX-License-Identifier: Apache-2.0
// ALPI's events, which hold back a task's end, and its spawned tasks: translation. Any thread.
#include <stdlib.h>

#include "abi/api/alpi_task.h"
#include "abi/api/extension.h"
#include "omp/task/outside.h"
#include "omp/task/spawned.h"
#include "omp/task/task_end.h"
#include "sched/poller.h"

struct alpi_attr {
  uint64_t none;
};

namespace omp = tulle::omp;
namespace sched = tulle::sched;
using tulle::api::own_record, tulle::api::record_of;

namespace {

// The mode, or no mode at all.
bool again_of(alpi_suspend_mode_t mode, omp::Again& again) {
  switch (mode) {
    case ALPI_SUSPEND_NONE: again = omp::Again::when_unblocked; return true;
    case ALPI_SUSPEND_SUBMIT: again = omp::Again::at_once; return true;
    case ALPI_SUSPEND_TIMEOUT_SUBMIT: again = omp::Again::after_time; return true;
    case ALPI_SUSPEND_EVENT_SUBMIT: again = omp::Again::without_events; return true;
  }
  return false;
}

}  // namespace

TULLE_EXTENSION int alpi_task_events_increase(alpi_task* task, uint64_t increment) {
  omp::Task* own = own_record(task);
  if (own == nullptr) return ALPI_ERR_PARAMETER;
  if (omp::add_spawned_events(own, increment)) return ALPI_SUCCESS;
  if (own->depth == 0) return ALPI_ERR_OUTSIDE_TASK;
  for (; increment != 0; --increment) {
    omp::hold_end(omp::self());
    sched::await_begin();
  }
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_task_events_decrease(alpi_task* task, uint64_t decrement) {
  if (task == nullptr) return ALPI_ERR_PARAMETER;
  if (omp::drop_spawned_events(record_of(task), decrement)) return ALPI_SUCCESS;
  for (; decrement != 0; --decrement) {
    omp::fulfill_event(record_of(task));
    sched::await_end();
  }
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_task_events_test(alpi_task* task, uint64_t* has_events) {
  omp::Task* own = own_record(task);
  if (own == nullptr || has_events == nullptr) return ALPI_ERR_PARAMETER;
  bool has = omp::is_held(own);
  omp::has_spawned_events(own, has);
  *has_events = has;
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_attr_size(uint64_t* attr_size) {
  if (attr_size == nullptr) return ALPI_ERR_PARAMETER;
  *attr_size = sizeof(alpi_attr);
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_attr_init(alpi_attr* attr) {
  if (attr == nullptr) return ALPI_ERR_PARAMETER;
  attr->none = 0;
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_attr_create(alpi_attr** attr) {
  if (attr == nullptr) return ALPI_ERR_PARAMETER;
  *attr = static_cast<alpi_attr*>(calloc(1, sizeof(alpi_attr)));
  return *attr != nullptr ? ALPI_SUCCESS : ALPI_ERR_OUT_OF_MEMORY;
}

TULLE_EXTENSION int alpi_attr_destroy(alpi_attr* attr) {
  if (attr == nullptr) return ALPI_ERR_PARAMETER;
  free(attr);
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_task_spawn(void (*body)(void*), void* body_args, void (*completed)(void*),
                                    void* completed_args, const char* label, const alpi_attr*) {
  if (body == nullptr || completed == nullptr) return ALPI_ERR_PARAMETER;
  return omp::spawn({body, body_args, completed, completed_args}, label) ? ALPI_SUCCESS : ALPI_ERR_OUT_OF_MEMORY;
}

TULLE_EXTENSION int alpi_task_suspend_mode_set(alpi_task* task, alpi_suspend_mode_t mode, uint64_t argument) {
  omp::Again again;
  omp::Task* own = own_record(task);
  if (own == nullptr || !again_of(mode, again)) return ALPI_ERR_PARAMETER;
  return omp::set_again(own, again, argument) ? ALPI_SUCCESS : ALPI_ERR_OUTSIDE_TASK;
}

TULLE_EXTENSION int alpi_task_suspend(alpi_task* task) {
  omp::Task* own = own_record(task);
  if (own == nullptr) return ALPI_ERR_PARAMETER;
  return omp::call_again(own) ? ALPI_SUCCESS : ALPI_ERR_OUTSIDE_TASK;
}
