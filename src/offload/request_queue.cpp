// SPDX-License-Identifier: Apache-2.0
// Ordering: enqueue() puts the request into the list (release), which the device takes out (acquire). Before it
// sleeps the device says so and looks at the list once more, enqueue() looks whether it sleeps when the request
// is in the list: both by sequentially consistent operations, so that one of the two sees the other.
#include "offload/request_queue.h"

#include <stdio.h>

#include "base/chain.h"
#include "offload/patience.h"
#include "os/cpus.h"
#include "os/futex.h"
#include "os/thread.h"

namespace tulle::offload {

namespace {

bool has_requests(const Device& device) { return device.requests.load(std::memory_order_seq_cst) != nullptr; }

void sleep(Device& device) {
  device.asleep.store(1, std::memory_order_seq_cst);
  while (!has_requests(device) && device.asleep.load(std::memory_order_relaxed) != 0)
    os::futex_wait(device.asleep, 1);
  device.asleep.store(0, std::memory_order_relaxed);
}

}  // namespace

void wake(Device& device) {
  if (device.asleep.load(std::memory_order_seq_cst) == 0) return;
  device.asleep.store(0, std::memory_order_relaxed);
  os::futex_wake(device.asleep, 1);
}

void enqueue(Device& device, Request* request) {
  Request* before = device.requests.load(std::memory_order_relaxed);
  do {
    request->next = before;
  } while (!device.requests.compare_exchange_weak(before, request, std::memory_order_seq_cst,
                                                  std::memory_order_relaxed));
  wake(device);
}

void become_server(Device& device, const CpuSet* cpus) {
  char name[16];
  snprintf(name, sizeof name, "tulle device %d", device.number);
  os::name_thread(name);
  if (cpus != nullptr) os::set_affinity_mask(0, *cpus);
  omp::self_or_attach();
}

void await_requests(Device& device) {
  while (!has_requests(device))
    if (!poll_for_work([&] { return has_requests(device); })) sleep(device);
}

Request* take_requests(Device& device) {
  return turned_over(device.requests.exchange(nullptr, std::memory_order_acq_rel));
}

}  // namespace tulle::offload
