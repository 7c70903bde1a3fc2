// SPDX-License-Identifier: Apache-2.0
// ALPI 1.2 (include/tulle/alpi.h), the interface that task-aware libraries look for: translation. Any thread.
#include <string.h>

#include "abi/api/alpi_task.h"
#include "abi/api/extension.h"
#include "omp/places/places.h"
#include "omp/task/blocking_task.h"
#include "omp/task/timed_wait.h"
#include "os/clock.h"
#include "os/cpus.h"
#include "sched/cpu_number.h"

namespace omp = tulle::omp;
namespace os = tulle::os;
namespace sched = tulle::sched;
using tulle::api::current_record, tulle::api::own_record, tulle::api::record_of;

namespace {

// Those of the process, whatever the caller is bound to.
tulle::CpuSet cpus_of_process() {
  omp::self_or_attach();  // reads the environment, on which binding depends
  const tulle::CpuSet& unbound = omp::cpus_before_binding();
  return unbound.empty() ? os::usable_cpus().allowed : unbound;
}

// Libraries make something for each: it stays what it was when the first one asked.
uint32_t cpu_count() {
  static std::atomic<uint32_t> count{0};
  uint32_t none = 0, now = count.load(std::memory_order_relaxed);
  if (now != 0) return now;
  now = static_cast<uint32_t>(cpus_of_process().count());
  return count.compare_exchange_strong(none, now, std::memory_order_relaxed) ? now : none;
}

const char* text_of(alpi_info_t query) {
  switch (query) {
    case ALPI_INFO_RUNTIME_NAME:
    case ALPI_INFO_RUNTIME_VENDOR: return "Tulle";
    case ALPI_INFO_VERSION: return TULLE_VERSION_STRING;
  }
  return nullptr;
}

}  // namespace

TULLE_EXTENSION const char* alpi_error_string(alpi_error_t error) {
  switch (error) {
    case ALPI_SUCCESS: return "No error";
    case ALPI_ERR_VERSION: return "Another version of the interface is there";
    case ALPI_ERR_NOT_INITIALIZED: return "The runtime is not initialized";
    case ALPI_ERR_PARAMETER: return "A parameter is invalid";
    case ALPI_ERR_OUT_OF_MEMORY: return "There is not enough memory";
    case ALPI_ERR_OUTSIDE_TASK: return "Only for explicit tasks and spawned ones";
    case ALPI_ERR_FEATURE_UNKNOWN: return "A feature is unknown or not there";
    case ALPI_ERR_UNKNOWN: return "An unknown error";
    case ALPI_ERR_MAX: break;
  }
  return "Error code not recognized";
}

TULLE_EXTENSION int alpi_info_get(alpi_info_t query, char* buffer, size_t max_length, int* length) {
  const char* text = text_of(query);
  if (text == nullptr || buffer == nullptr || max_length == 0) return ALPI_ERR_PARAMETER;
  size_t written = strnlen(text, max_length - 1);
  memcpy(buffer, text, written);
  buffer[written] = '\0';
  if (length != nullptr) *length = static_cast<int>(written);
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_feature_check(int features) {
  constexpr int kAll = ALPI_FEATURE_BLOCKING | ALPI_FEATURE_EVENTS | ALPI_FEATURE_RESOURCES | ALPI_FEATURE_SUSPEND;
  return (features & ~kAll) == 0 ? ALPI_SUCCESS : ALPI_ERR_FEATURE_UNKNOWN;
}

TULLE_EXTENSION int alpi_version_check(int major, int minor) {
  omp::expect_waits_outside();  // by the library that asks
  return major == ALPI_VERSION_MAJOR && minor <= ALPI_VERSION_MINOR ? ALPI_SUCCESS : ALPI_ERR_VERSION;
}

TULLE_EXTENSION int alpi_version_get(int* major, int* minor) {
  if (major == nullptr || minor == nullptr) return ALPI_ERR_PARAMETER;
  omp::expect_waits_outside();  // by the library that asks
  *major = ALPI_VERSION_MAJOR;
  *minor = ALPI_VERSION_MINOR;
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_task_self(alpi_task** task) {
  if (task == nullptr) return ALPI_ERR_PARAMETER;
  *task = reinterpret_cast<alpi_task*>(current_record());
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_task_block(alpi_task* task) {
  omp::Task* own = own_record(task);
  if (own == nullptr) return ALPI_ERR_PARAMETER;
  omp::block_task(omp::self(), own);
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_task_unblock(alpi_task* task) {
  if (task == nullptr) return ALPI_ERR_PARAMETER;
  return omp::unblock_task(record_of(task)) ? ALPI_SUCCESS : ALPI_ERR_OUT_OF_MEMORY;
}

TULLE_EXTENSION int alpi_task_waitfor_ns(uint64_t target_ns, uint64_t* actual_ns) {
  uint64_t begin = os::now();
  omp::wait_for_time(omp::self_or_attach(), target_ns);
  if (actual_ns != nullptr) *actual_ns = os::now() - begin;
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_cpu_count(uint64_t* count) {
  if (count == nullptr) return ALPI_ERR_PARAMETER;
  *count = cpu_count();
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_cpu_logical_id(uint64_t* logical_id) {
  if (logical_id == nullptr) return ALPI_ERR_PARAMETER;
  *logical_id = sched::cpu_number(omp::self_or_attach()->worker, cpu_count());
  return ALPI_SUCCESS;
}

TULLE_EXTENSION int alpi_cpu_system_id(uint64_t* system_id) {
  if (system_id == nullptr) return ALPI_ERR_PARAMETER;
  int mine = os::current_cpu();
  *system_id = mine < 0 ? 0 : static_cast<uint64_t>(mine);
  return ALPI_SUCCESS;
}
