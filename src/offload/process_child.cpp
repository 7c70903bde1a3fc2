// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "offload/process_state.h"
#include "omp/target/target_host.h"
#include "os/cpus.h"

namespace tulle::offload {

namespace {

const omp::Thread* root_of(const omp::Thread* thread) {
  while (thread->team->parent != nullptr) thread = thread->team->parent;
  return thread;
}

}  // namespace

void obey(Device& device, int host) {
  Channel& channel = *process_of(device).channel;
  os::set_affinity_mask(0, device.cpus);
  device.root.store(root_of(omp::self()), std::memory_order_release);
  if (!os::end_with_host(host)) os::leave_child();
  for (;;) {
    int lane = channel.await_order();
    const Order& order = channel.first_in(lane);
    if (order.kind == Order::copy) {
      memcpy(order.to, order.from, order.bytes);
    } else {
      omp::run_target(omp::self(), order.function, order.arguments, order.thread_limit, device.icv);
      os::flush_output();
    }
    channel.answer(lane);
  }
}

}  // namespace tulle::offload
