// SPDX-License-Identifier: Apache-2.0
#include "offload/urgent.h"

#include "offload/devices.h"
#include "omp/task/attention.h"

namespace tulle::offload {

namespace {

TULLE_MAY_SUSPEND TULLE_COLD void attend() {
  const omp::Thread* thread = omp::self();
  Device* device = thread != nullptr ? current_device(thread) : nullptr;
  if (device == nullptr || device->operations->run_urgent == nullptr || !is_in_name_of_root(thread)) return;
  device->operations->run_urgent(*device);
}

}  // namespace

// Each member 0 between has its parent's stack, and nobody else may act in its name meanwhile.
bool is_in_name_of_root(const omp::Thread* thread) {
  for (; thread->team->parent != nullptr; thread = thread->team->parent)
    if (thread->num != 0) return false;
  return true;
}

void want_attention(Device& device) {
  if (device.urgent.exchange(1, std::memory_order_seq_cst) == 0)
    omp::attention.wanted.fetch_add(1, std::memory_order_relaxed);
}

void settle_attention(Device& device) {
  if (device.urgent.load(std::memory_order_relaxed) == 0) return;
  if (device.urgent.exchange(0, std::memory_order_seq_cst) != 0)
    omp::attention.wanted.fetch_sub(1, std::memory_order_relaxed);
}

void begin_to_attend() { omp::attend = attend; }

}  // namespace tulle::offload
