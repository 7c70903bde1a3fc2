// SPDX-License-Identifier: Apache-2.0
// Ordering: start() puts the request into the list (release), which the device takes out (acquire). Before it
// sleeps the device says so and looks at the list once more, start() looks whether it sleeps when the request
// is in the list: both by sequentially consistent operations, so that one of the two sees the other.
#include "offload/cluster.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arch/cpu.h"
#include "omp/target/target_host.h"
#include "os/clock.h"
#include "os/cpus.h"
#include "os/futex.h"
#include "os/thread.h"
#include "sched/scheduler.h"

namespace tulle::offload {

namespace {

constexpr uint64_t kBetweenYields = 20000;  // ns: whoever else wants the core is let in so often

void* allocate(Device&, size_t bytes, size_t alignment) {
  if (bytes > SIZE_MAX - alignment) return nullptr;
  if (bytes == 0) bytes = 1;
  return aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1));
}

void release(Device&, void* block) { free(block); }

void copy(Device&, void* to, const void* from, size_t bytes) {
  if (to != from) memcpy(to, from, bytes);
}

void start(Device& device, Request* request) {
  Request* before = device.requests.load(std::memory_order_relaxed);
  do {
    request->next = before;
  } while (!device.requests.compare_exchange_weak(before, request, std::memory_order_seq_cst,
                                                  std::memory_order_relaxed));
  if (device.asleep.load(std::memory_order_seq_cst) == 0) return;
  device.asleep.store(0, std::memory_order_relaxed);
  os::futex_wake(device.asleep, 1);
}

constexpr DeviceOperations kOperations = {"cluster", allocate, release, copy, copy, start};

bool has_requests(const Device& device) { return device.requests.load(std::memory_order_seq_cst) != nullptr; }

bool poll(const Device& device) {
  const uint64_t limit = sched::settings().spin_ns, begin = os::now();
  for (uint64_t now = begin, yielded = begin; limit == sched::kEndless || now - begin < limit; now = os::now()) {
    for (int i = 0; i < 64; ++i) {
      if (has_requests(device)) return true;
      arch::pause();
    }
    if (now - yielded < kBetweenYields) continue;
    if (os::yield_core()) return false;
    yielded = now;
  }
  return false;
}

void sleep(Device& device) {
  device.asleep.store(1, std::memory_order_seq_cst);
  while (!has_requests(device) && device.asleep.load(std::memory_order_relaxed) != 0)
    os::futex_wait(device.asleep, 1);
  device.asleep.store(0, std::memory_order_relaxed);
}

// The requests that came, the first one first.
Request* take(Device& device) {
  Request* latest = device.requests.exchange(nullptr, std::memory_order_acq_rel);
  Request* first = nullptr;
  while (latest != nullptr) {
    Request* before = latest->next;
    latest->next = first;
    first = latest;
    latest = before;
  }
  return first;
}

TULLE_MAY_SUSPEND void* serve(void* argument) {
  auto& device = *static_cast<Device*>(argument);
  char name[16];
  snprintf(name, sizeof name, "tulle device %d", device.number);
  os::name_thread(name);
  os::set_affinity_mask(0, device.cpus);
  device.root.store(omp::self_or_attach(), std::memory_order_release);
  for (;;) {
    if (!has_requests(device) && !poll(device)) sleep(device);
    for (Request* request = take(device); request != nullptr;) {
      Request* next = request->next;
      omp::run_target(omp::self(), request->function, request->arguments, request->thread_limit, device.icv);
      request->ended(request);
      request = next;
    }
  }
}

}  // namespace

bool start_cluster(Device& device) {
  device.operations = &kOperations;
  return os::start_thread(serve, &device, os::Signals::blocked, os::Stack::of_program) == 0;
}

}  // namespace tulle::offload
