// SPDX-License-Identifier: Apache-2.0
#include <string.h>

#include "offload/process_state.h"
#include "offload/root.h"
#include "omp/target/target_host.h"
#include "os/cpus.h"
#include "sched/settings.h"

namespace tulle::offload {

namespace {

// Lane of the order that is carried out; -1: none. W: whoever has the name of the device's initial thread.
int running = -1;

TULLE_MAY_SUSPEND void carry_out(Device& device, int lane) {
  Channel& channel = *process_of(device).channel;
  const Order& order = channel.first_in(lane);
  const int outer = running;
  running = lane;
  if (order.kind == Order::copy) {
    memcpy(order.to, order.from, order.bytes);
  } else {
    omp::run_target(omp::self(), order.function, order.arguments, order.thread_limit, device.icv);
    os::flush_output();
  }
  running = outer;
  channel.answer(lane);
}

}  // namespace

void obey(Device& device, int host) {
  Channel& channel = *process_of(device).channel;
  os::set_affinity_mask(0, device.cpus);
  sched::set_workers(device.cpus.count());
  become_root(device);
  if (!os::end_with_host(host)) os::leave_child();
  for (;;) carry_out(device, channel.await_order());
}

void run_urgent_orders(Device& device) {
  Channel& channel = *process_of(device).channel;
  for (;;) {
    channel.settle();
    int lane = channel.lane_above(running);
    if (lane < 0) return;
    carry_out(device, lane);
  }
}

}  // namespace tulle::offload
