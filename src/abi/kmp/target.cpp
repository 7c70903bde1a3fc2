// SPDX-License-Identifier: Apache-2.0
//
// What the offloading side of LLVM asks of the host's runtime. There are no other devices: no task has
// asynchronous work on one.
#include "abi/kmp/layout.h"
#include "omp/icv/icv.h"
#include "omp/region/process.h"

namespace tulle::kmp {
namespace {

// Numbered as LLVM's offloading library has it.
enum class Offload : int32_t { disabled = 0, automatic = 1, mandatory = 2 };

Offload offload() {
  switch (omp::global_icv().target_offload.value) {
    case omp::TargetOffload::disabled:
      return Offload::disabled;
    case omp::TargetOffload::mandatory:
      return Offload::mandatory;
    default:
      return Offload::automatic;
  }
}

}  // namespace

TULLE_KMP int32_t __kmpc_get_target_offload() { return static_cast<int32_t>(offload()); }

// The place where the current task keeps the handle of its asynchronous work; null: it has none.
TULLE_KMP void** __kmpc_omp_get_target_async_handle_ptr(int32_t) { return nullptr; }

// Whether the caller may leave a task suspended until such work is done.
TULLE_KMP bool __kmpc_omp_has_task_team(int32_t) { return false; }

// Gives back what can be made anew: 1 soft, 2 hard. 0: done.
TULLE_KMP int32_t __kmpc_pause_resource(int32_t level) {
  return level == 0 || omp::pause(level == 1) ? 0 : 1;
}

}  // namespace tulle::kmp
