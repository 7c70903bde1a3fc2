// SPDX-License-Identifier: Apache-2.0
// The control variables of the process: read from its environment on first need.
#include <stdlib.h>
#include <unistd.h>

#include <atomic>

#include "omp/environment/environment.h"
#include "omp/places/kmp_affinity.h"
#include "os/cpus.h"
#include "os/modules.h"
#include "os/report.h"
#include "os/secure.h"
#include "sync/spinlock.h"

namespace tulle::omp {
namespace {

const char* process_environment(const char* name) { return getenv(name); }
int cpus_within(const char* hw_subset) {
  os::UsableCpus usable = os::usable_cpus();
  topology::TreePtr tree = topology::restricted(topology::machine(), usable.allowed);
  if (tree == nullptr) return usable.count;
  int left = hw_subset_cpus(hw_subset, *tree).count();
  return left > 0 && left < usable.count ? left : usable.count;
}

bool asks_as_libomp() {
  return os::any_module_needs("libomp.so.5") || os::any_module_needs("libomp.so") || os::any_module_needs("libiomp5.so");
}

void report_line(const char* line) { os::report("%s", line); }

std::atomic<bool> ready{false};
TULLE_HELD_AT_FORK sync::Spinlock building;
// Built by a constructor of the library where the user wants it displayed: no other one may write it.
constinit GlobalIcv the_global_icv;
constinit DeviceIcv the_device_icv;

void start_device_icv(const GlobalIcv& icv) {
  // Relaxed: published by the release store of `ready`.
  the_device_icv.num_teams.store(icv.num_teams.value, std::memory_order_relaxed);
  the_device_icv.teams_thread_limit.store(icv.teams_thread_limit.value, std::memory_order_relaxed);
  the_device_icv.blocktime_us.store(icv.blocktime_us.value, std::memory_order_relaxed);
  the_device_icv.stack_size.store(icv.stack_size.value, std::memory_order_relaxed);
}

TULLE_COLD void build() {
  sync::Guard guard(building);
  // Relaxed: the lock orders it after the store of whoever built it.
  if (ready.load(std::memory_order_relaxed)) return;
  os::UsableCpus usable = os::usable_cpus();
  Origin origin = usable.quota.limited() && usable.count < usable.allowed.count()
                      ? Origin::cgroup_quota : Origin::affinity_mask;
  read_environment({process_environment, usable.count, origin, cpus_within, report_line, environ,
                    asks_as_libomp, os::has_more_rights_than_caller()},
                   the_global_icv);
  the_global_icv.quota_cpus = usable.quota.cpus();
  start_device_icv(the_global_icv);
  ready.store(true, std::memory_order_release);
}

}  // namespace

// Relaxed: a hint about a moment that is past.
bool environment_is_read() { return ready.load(std::memory_order_relaxed); }

const GlobalIcv& global_icv() {
  // Acquire: pairs with the release store in build().
  if (TULLE_UNLIKELY(!ready.load(std::memory_order_acquire))) build();
  return the_global_icv;
}

DeviceIcv& device_icv() {
  global_icv();
  return the_device_icv;
}

}  // namespace tulle::omp
