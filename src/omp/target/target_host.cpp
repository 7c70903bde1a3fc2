// SPDX-License-Identifier: Apache-2.0
#include "omp/target/target_host.h"

#include <cstdlib>

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

// The target region's thread is the encountering one as member 0 of a team of one; before it
// begins, the team is made an initial team: outside of all regions, with ICVs of its own.
void make_initial(Thread* primary, void* icv) {
  Team* team = primary->team;
  team->level = 0;
  team->active_level = 0;
  team->icv_inside = *static_cast<const Icv*>(icv);
  team->icv = &team->icv_inside;
  primary->task()->icv = team->icv;
}

}  // namespace

void require_host(Thread* thread, int device) {
  if (device == kDefaultDevice) device = icv_of(thread).default_device;
  if (device == kInvalidDevice) refuse("a target construct met omp_invalid_device");
  if (device == kInitialDevice || device == kDevices) return;
  if (global_icv().target_offload.value == TargetOffload::mandatory)
    refuse("OMP_TARGET_OFFLOAD is mandatory, but there is no such device");
}

void run_target(Thread* thread, RegionFunction function, void* data, uint32_t thread_limit) {
  run_target(thread, function, data, thread_limit, initial_icv());
}

void run_target(Thread* thread, RegionFunction function, void* data, uint32_t thread_limit, Icv icv) {
  RegionRequest request{function, data, 1, ProcBind::off};
  Thread* initial = fork(thread, request, 1, &make_initial, &icv);
  League league;
  initial->teams_data = &league;
  limit_threads(initial, thread_limit);
  function(data);
  initial->teams_data = nullptr;
  join();
}

}  // namespace tulle::omp
