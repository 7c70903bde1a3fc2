// SPDX-License-Identifier: Apache-2.0
#include "omp/target/target_host.h"

#include <cstdlib>

#include "omp/region/initial_team.h"
#include "omp/region/parallel.h"
#include "omp/region/teams.h"
#include "os/report.h"

namespace tulle::omp {

namespace {

constexpr int kDevices = 0;  // the host is not counted; its number is this

[[noreturn]] void refuse(const char* why) {
  os::report("%s", why);
  exit(EXIT_FAILURE);
}

}  // namespace

void require_host(Thread* thread, int device) {
  if (device == kDefaultDevice) device = icv_of(thread).default_device;
  if (device == kInvalidDevice) refuse("a target construct met omp_invalid_device");
  if (device == kInitialDevice || device == kDevices) return;
  if (global_icv().target_offload.value == TargetOffload::mandatory) refuse_host();
}

void refuse_host() { refuse("OMP_TARGET_OFFLOAD is mandatory, but there is no such device"); }

void run_target(Thread* thread, RegionFunction function, void* data, uint32_t thread_limit) {
  Icv icv = initial_icv();
  icv.observed |= icv_of(thread).observed;  // by tools, and by a race detector
  run_target(thread, function, data, thread_limit, icv);
}

// The target region's thread is the encountering one as member 0 of a team of one.
void run_target(Thread* thread, RegionFunction function, void* data, uint32_t thread_limit, Icv icv) {
  RegionRequest request{function, data, 1, ProcBind::off};
  Thread* initial = fork(thread, request, 1, &make_team_initial, &icv);
  League league;
  initial->teams_data = &league;
  limit_threads(initial, thread_limit);
  function(data);
  initial->teams_data = nullptr;
  join();
}

}  // namespace tulle::omp
