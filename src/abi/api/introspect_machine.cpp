// SPDX-License-Identifier: Apache-2.0
// The machine's side of tulle/introspect.h. Keeps nothing; any thread.
#include <string.h>

#include "abi/api/extension.h"
#include "offload/device_plan.h"
#include "offload/devices.h"
#include "omp/icv/text_buffer.h"
#include "omp/places/affinity_format.h"
#include "os/cpus.h"
#include "topology/topology.h"
#include "tulle/introspect.h"

namespace topology = tulle::topology;

namespace {

const char* kind_of(const tulle::offload::PlannedDevice& device) {
  constexpr const char* kKinds[] = {"cluster", "process", "rank"};
  return kKinds[static_cast<size_t>(device.kind)];
}

}  // namespace

TULLE_EXTENSION void tulle_ask_cpus(void (*answer)(void*, const tulle_cpus*), void* context) {
  tulle::os::UsableCpus usable = tulle::os::usable_cpus();
  tulle_cpus cpus = {};
  cpus.online = tulle::os::online_cpus().count();
  cpus.allowed = usable.allowed.count();
  if (usable.quota.limited()) {
    cpus.quota =
        static_cast<double>(usable.quota.quota) / static_cast<double>(usable.quota.period);
    cpus.quota_version = usable.quota.version;
  }
  cpus.quota_group = usable.quota.group;
  cpus.usable = usable.count;
  answer(context, &cpus);
}

TULLE_EXTENSION const char* tulle_each_machine_part(const char* description,
                                                 void (*each)(void*, const tulle_machine_part*),
                                                 void* context) {
  topology::TreePtr made;
  if (description != nullptr) {
    made = topology::from_xml(description);
    if (made == nullptr) made = topology::from_synthetic(description);
    if (made == nullptr) return nullptr;
  }
  const topology::Tree& tree = made != nullptr ? *made : topology::machine();
  tulle::CpuSet allowed =
      made != nullptr ? tree.cpus(topology::Tree::kRoot) : tulle::os::usable_cpus().allowed;
  for (int id = 0; id < tree.size(); ++id) {
    const topology::Node& node = tree[id];
    tulle::CpuSet inside = tree.cpus(id);
    inside &= allowed;
    tulle_machine_part part = {topology::name(node.kind), node.cache_level, node.depth,
                               node.number,               node.os_index,    node.leaves,
                               inside.count()};
    each(context, &part);
  }
  return description == nullptr ? tree.source()
                                : (strcmp(tree.source(), "xml") == 0 ? "xml" : "synthetic");
}

TULLE_EXTENSION const char* tulle_each_device(void (*each)(void*, const tulle_device*), void* context) {
  const char* list = tulle::offload::devices_asked_for();
  if (list == nullptr) return nullptr;
  tulle::Array<tulle::offload::PlannedDevice> plan;
  const char* fault = tulle::offload::plan_devices(list, tulle::os::usable_cpus(), plan);
  for (size_t i = 0; i < plan.size(); ++i) {
    char text[4096];
    tulle::omp::TextBuffer out(text, sizeof text);
    tulle::omp::put_cpus(out, plan[i].cpus, tulle::omp::Peer::libgomp);
    tulle_device device = {static_cast<int>(i), kind_of(plan[i]), plan[i].cpus.count(), text};
    each(context, &device);
  }
  return fault;
}
