// SPDX-License-Identifier: Apache-2.0
// Routines about the runtime itself: display of the environment, release of resources, events of
// detached tasks, control of a tool (OpenMP 5.2 §18.6, §18.11, §18.14, §18.15).
#include "abi/api/entry.h"
#include "offload/device_memory.h"
#include "omp/environment/display.h"
#include "omp/region/process.h"
#include "omp/task/task_end.h"
#include "omp/thread/team.h"
#include "omp/tool/events.h"

using namespace tulle;

namespace {

enum PauseKind : int32_t { kPauseSoft = 1, kPauseHard = 2, kPauseStopTool = 3 };

constexpr int32_t kNoTool = -2;  // omp_control_tool_notool

// Outside of parallel regions only. As in libgomp, of any kind: all threads but the calling one end.
int32_t gnu_pause(int32_t) { return omp::pause(false) ? 0 : -1; }

// As in libomp, a soft pause keeps the threads' data.
int32_t llvm_pause(int32_t kind) {
  if (kind < kPauseSoft || kind > kPauseStopTool) return -1;
  return omp::pause(kind == kPauseSoft) ? 0 : -1;
}

int32_t control_tool(int command, int modifier, void* argument, const void* code) {
  if (!omp::tool::active()) return kNoTool;
  omp::Thread* thread = omp::self_or_attach();
  if (!omp::tool::active()) return kNoTool;
  omp::tool::Inside inside(thread);
  return omp::tool::control(static_cast<uint64_t>(command), static_cast<uint64_t>(modifier), argument, code);
}

}  // namespace

TULLE_C(void, omp_display_env, "OMP_5.1", int verbose) { omp::display_environment(verbose != 0); }
TULLE_ONE_INT(void, omp_display_env, "OMP_5.1");

TULLE_GNU(int32_t, omp_pause_resource, "OMP_5.0", int kind, int device) {
  return offload::is_host(device) ? gnu_pause(kind) : -1;
}
TULLE_FOR_LLVM(int32_t, omp_pause_resource, int kind, int device) {
  return offload::is_host(device) ? llvm_pause(kind) : -1;
}
TULLE_GNU(int32_t, omp_pause_resource_, "OMP_5.0", const int32_t* kind, const int32_t* device) {
  return api_omp_pause_resource(*kind, *device);
}
TULLE_FOR_LLVM(int32_t, omp_pause_resource_, const int32_t* kind, const int32_t* device) {
  return llvm_omp_pause_resource(*kind, *device);
}

TULLE_GNU(int32_t, omp_pause_resource_all, "OMP_5.0", int kind) { return gnu_pause(kind); }
TULLE_FOR_LLVM(int32_t, omp_pause_resource_all, int kind) { return llvm_pause(kind); }
TULLE_GNU(int32_t, omp_pause_resource_all_, "OMP_5.0", const int32_t* kind) {
  return gnu_pause(*kind);
}
TULLE_FOR_LLVM(int32_t, omp_pause_resource_all_, const int32_t* kind) { return llvm_pause(*kind); }

// Both interfaces hand out the record of a detachable task as its event.
TULLE_EXPORT(TULLE_SYMBOL(omp_fulfill_event, "OMP_5.0.1"),
             TULLE_SYMBOL(omp_fulfill_event_, "OMP_5.0.1"))
void api_omp_fulfill_event(omp::Task* event) { omp::fulfill_event(event); }

// libgomp has it from GCC 17 on.
TULLE_C(int32_t, omp_control_tool, "OMP_6.0", int command, int modifier, void* argument) {
  return control_tool(command, modifier, argument, __builtin_return_address(0));
}
TULLE_FORTRAN(int32_t, omp_control_tool, "OMP_6.0", const int32_t* command, const int32_t* modifier, void* argument) {
  return control_tool(*command, *modifier, argument, __builtin_return_address(0));
}
TULLE_FORTRAN_8(int32_t, omp_control_tool, "OMP_6.0", const int64_t* command, const int64_t* modifier, void* argument) {
  return control_tool(tulle::api::to_int(*command), tulle::api::to_int(*modifier), argument, __builtin_return_address(0));
}
