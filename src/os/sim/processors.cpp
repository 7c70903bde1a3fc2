// SPDX-License-Identifier: Apache-2.0
// Clusters and sockets of the model's machine.
#include "os/processors.h"

#include "arch/simulation.h"

namespace tulle::os {

namespace {

void tell_groups(Together level, int cache_level, int size, const GroupSink& sink) {
  const int cores = tulle_sim_shape().cores;
  for (int first = 0, number = 0; first < cores; first += size, ++number) {
    ProcessorGroup group{level, number, cache_level, {}};
    for (int core = first; core < first + size && core < cores; ++core) group.cpus.add(core);
    sink.group(sink.context, group);
  }
}

}  // namespace

void each_processor_group(const char*, const CpuSet&, const GroupSink& sink) {
  const TulleSimulatedShape shape = tulle_sim_shape();
  tell_groups(Together::numa_node, 0, shape.socket, sink);
  tell_groups(Together::package, 0, shape.socket, sink);
  if (shape.cluster > 1) tell_groups(Together::cache, 3, shape.cluster, sink);
  tell_groups(Together::core, 0, 1, sink);
}

}  // namespace tulle::os
