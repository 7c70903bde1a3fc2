// SPDX-License-Identifier: Apache-2.0
// Each simulated core is a processor of the number that it has in the model; nothing binds and nothing limits.
#include "os/cpus.h"

#include "arch/simulation.h"

namespace tulle::os {

namespace {

CpuSet all_cores() {
  CpuSet cpus;
  for (int core = 0; core < tulle_sim_shape().cores; ++core) cpus.add(core);
  return cpus;
}

}  // namespace

CpuSet allowed_cpus() { return all_cores(); }

UsableCpus usable_cpus() {
  UsableCpus usable;
  usable.allowed = all_cores();
  usable.count = usable.allowed.count();
  return usable;
}

bool affinity_mask(int, CpuSet& mask) {
  mask = all_cores();
  return true;
}

bool set_affinity_mask(int, const CpuSet&) { return false; }
int current_cpu() { return tulle_sim_core(); }
CpuSet online_cpus(const char*) { return all_cores(); }
CpuQuota cpu_quota(const char*) { return {}; }
bool parse_cpu_list(const char*, CpuSet&) { return false; }
std::ptrdiff_t read_whole_file(const char*, char**) { return -1; }

}  // namespace tulle::os
