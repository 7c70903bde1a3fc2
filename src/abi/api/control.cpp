// SPDX-License-Identifier: Apache-2.0
// Routines that set and get control variables (OpenMP 5.2 §18.2, §18.4.1 to §18.4.4, §18.5.1). Values
// that make no sense are treated as libgomp treats them.
#include "abi/api/entry.h"
#include "offload/devices.h"

using namespace tulle;
using tulle::api::changeable_icv;
using tulle::api::read_icv;
using tulle::omp::Icv;
using tulle::omp::ScheduleKind;

namespace {

constexpr uint32_t kMonotonic = 0x80000000u;  // omp_sched_monotonic

omp::RunSchedule run_schedule() {
  return read_icv([](const Icv& icv) { return icv.run_sched; });
}

// run-sched-var as libgomp tells it, and as libomp does.
omp::RunSchedule gnu_schedule() {
  omp::RunSchedule schedule = run_schedule();
  if (schedule.kind == ScheduleKind::unset) return {1, ScheduleKind::dynamic, false};
  if (schedule.kind == ScheduleKind::trapezoidal) schedule.kind = ScheduleKind::guided;
  return schedule;
}

omp::RunSchedule llvm_schedule() {
  omp::RunSchedule schedule = run_schedule();
  if (schedule.kind == ScheduleKind::unset) schedule.kind = ScheduleKind::fixed;
  if (schedule.kind == ScheduleKind::automatic) schedule.chunk = 1;
  return schedule;
}

void set_schedule(uint32_t coded, ScheduleKind kind, int chunk) {
  int least = kind == ScheduleKind::fixed ? 0 : 1;
  changeable_icv()->run_sched = {chunk < least ? least : chunk, kind, (coded & kMonotonic) != 0};
}

void tell_schedule(const omp::RunSchedule& schedule, uint32_t* kind, int* chunk) {
  *kind = static_cast<uint32_t>(schedule.kind) | (schedule.monotonic ? kMonotonic : 0);
  *chunk = schedule.chunk;
}

}  // namespace

TULLE_C(void, omp_set_num_threads, "OMP_1.0", int threads) {
  changeable_icv()->nthreads = threads > 0 ? static_cast<uint32_t>(threads) : 1;
}
TULLE_ONE_INT(void, omp_set_num_threads, "OMP_1.0");
TULLE_LLVM(void, ompc_set_num_threads, int threads) { api_omp_set_num_threads(threads); }

TULLE_QUERY(int32_t, omp_get_max_threads, "OMP_1.0") {
  return read_icv([](const Icv& icv) { return static_cast<int32_t>(icv.nthreads); });
}

TULLE_QUERY(int32_t, omp_get_num_procs, "OMP_1.0") {
  const omp::Thread* thread = omp::self();
  const offload::Device* device = thread != nullptr ? offload::current_device(thread) : nullptr;
  return device != nullptr ? device->cpus.count() : omp::global_icv().cpus;
}

TULLE_C(void, omp_set_dynamic, "OMP_1.0", int dynamic) {
  Icv* icv = changeable_icv();
  icv->dyn = dynamic != 0;
  icv->sizes_fixed = dynamic == 0;
}
TULLE_ONE_INT(void, omp_set_dynamic, "OMP_1.0");
TULLE_LLVM(void, ompc_set_dynamic, int dynamic) { api_omp_set_dynamic(dynamic); }

TULLE_QUERY(int32_t, omp_get_dynamic, "OMP_1.0") {
  return read_icv([](const Icv& icv) { return static_cast<int32_t>(icv.dyn); });
}

TULLE_C(void, omp_set_nested, "OMP_1.0", int nested) {
  Icv* icv = changeable_icv();
  if (nested == 0 && icv->max_active_levels > 1)
    icv->max_active_levels = 1;
  else if (nested != 0 && icv->max_active_levels == 1)
    icv->max_active_levels = omp::kMaxActiveLevels;
}
TULLE_ONE_INT(void, omp_set_nested, "OMP_1.0");
TULLE_LLVM(void, ompc_set_nested, int nested) { api_omp_set_nested(nested); }

TULLE_QUERY(int32_t, omp_get_nested, "OMP_1.0") {
  const omp::Thread* thread = omp::self();
  int level = thread != nullptr ? static_cast<int>(thread->team->active_level) : 0;
  return read_icv([level](const Icv& icv) {
    return static_cast<int32_t>(icv.max_active_levels > 1 && icv.max_active_levels > level);
  });
}

TULLE_C(void, omp_set_max_active_levels, "OMP_3.0", int levels) {
  if (levels >= 0) changeable_icv()->max_active_levels = levels;
}
TULLE_ONE_INT(void, omp_set_max_active_levels, "OMP_3.0");
TULLE_LLVM(void, ompc_set_max_active_levels, int levels) { api_omp_set_max_active_levels(levels); }

TULLE_QUERY(int32_t, omp_get_max_active_levels, "OMP_3.0") {
  return read_icv([](const Icv& icv) { return icv.max_active_levels; });
}

TULLE_QUERY(int32_t, omp_get_supported_active_levels, "OMP_5.0.1") { return omp::kMaxActiveLevels; }

TULLE_QUERY(int32_t, omp_get_thread_limit, "OMP_3.0") {
  return read_icv([](const Icv& icv) { return icv.thread_limit; });
}

// As libgomp and libomp have it each: auto leaves the chunk as it was, or makes it 1; other kinds than
// those of omp.h change nothing, or are libomp's own or static.
TULLE_GNU(void, omp_set_schedule, "OMP_3.0", uint32_t kind, int chunk) {
  uint32_t number = kind & ~kMonotonic;
  if (number < 1 || number > 4) return;
  auto schedule = static_cast<ScheduleKind>(number);
  if (schedule == ScheduleKind::automatic) chunk = gnu_schedule().chunk;
  set_schedule(kind, schedule, chunk);
}
TULLE_FOR_LLVM(void, omp_set_schedule, uint32_t kind, int chunk) {
  constexpr auto kTrapezoidal = static_cast<uint32_t>(ScheduleKind::trapezoidal);
  uint32_t number = kind & ~kMonotonic;
  if ((number < 1 || number > 4) && number != kTrapezoidal) {
    number = static_cast<uint32_t>(ScheduleKind::fixed);
    chunk = 0;
  }
  auto schedule = static_cast<ScheduleKind>(number);
  if (schedule == ScheduleKind::automatic) chunk = 1;
  set_schedule(kind, schedule, chunk);
}
TULLE_GNU(void, omp_set_schedule_, "OMP_3.0", const uint32_t* kind, const int32_t* chunk) {
  api_omp_set_schedule(*kind, *chunk);
}
TULLE_FOR_LLVM(void, omp_set_schedule_, const uint32_t* kind, const int32_t* chunk) {
  llvm_omp_set_schedule(*kind, *chunk);
}
TULLE_FORTRAN_8(void, omp_set_schedule, "OMP_3.0", const uint32_t* kind, const int64_t* chunk) {
  api_omp_set_schedule(*kind, api::to_int(*chunk));
}
TULLE_LLVM(void, ompc_set_schedule, uint32_t kind, int chunk) { llvm_omp_set_schedule(kind, chunk); }

TULLE_GNU(void, omp_get_schedule, "OMP_3.0", uint32_t* kind, int* chunk) {
  tell_schedule(gnu_schedule(), kind, chunk);
}
TULLE_FOR_LLVM(void, omp_get_schedule, uint32_t* kind, int* chunk) {
  tell_schedule(llvm_schedule(), kind, chunk);
}
TULLE_GNU(void, omp_get_schedule_, "OMP_3.0", uint32_t* kind, int32_t* chunk) {
  api_omp_get_schedule(kind, chunk);
}
TULLE_FOR_LLVM(void, omp_get_schedule_, uint32_t* kind, int32_t* chunk) {
  llvm_omp_get_schedule(kind, chunk);
}
TULLE_FORTRAN_8(void, omp_get_schedule, "OMP_3.0", uint32_t* kind, int64_t* chunk) {
  int narrow = 0;
  api_omp_get_schedule(kind, &narrow);
  *chunk = narrow;
}

TULLE_QUERY(int32_t, omp_get_cancellation, "OMP_4.0") {
  return omp::global_icv().cancellation.value;
}

TULLE_QUERY(int32_t, omp_get_max_task_priority, "OMP_4.5") {
  return omp::global_icv().max_task_priority.value;
}

// Relaxed in what follows: single values that order nothing else.
TULLE_C(void, omp_set_num_teams, "OMP_5.1", int teams) {
  if (teams >= 0) omp::device_icv().num_teams.store(teams, std::memory_order_relaxed);
}
TULLE_ONE_INT(void, omp_set_num_teams, "OMP_5.1");

TULLE_QUERY(int32_t, omp_get_max_teams, "OMP_5.1") {
  return omp::device_icv().num_teams.load(std::memory_order_relaxed);
}

TULLE_C(void, omp_set_teams_thread_limit, "OMP_5.1", int limit) {
  if (limit >= 0) omp::device_icv().teams_thread_limit.store(limit, std::memory_order_relaxed);
}
TULLE_ONE_INT(void, omp_set_teams_thread_limit, "OMP_5.1");

TULLE_QUERY(int32_t, omp_get_teams_thread_limit, "OMP_5.1") {
  return omp::device_icv().teams_thread_limit.load(std::memory_order_relaxed);
}
