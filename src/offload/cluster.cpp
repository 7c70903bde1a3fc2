// SPDX-License-Identifier: Apache-2.0
#include "offload/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "base/create.h"
#include "offload/request_queue.h"
#include "offload/root.h"
#include "offload/urgent.h"
#include "omp/target/target_host.h"
#include "omp/tool/called.h"
#include "os/report.h"
#include "os/thread.h"
#include "sched/crew.h"

namespace tulle::offload {

namespace {

void* allocate(Device&, size_t bytes, size_t alignment) {
  if (bytes > SIZE_MAX - alignment) return nullptr;
  if (bytes == 0) bytes = 1;
  return aligned_alloc(alignment, (bytes + alignment - 1) & ~(alignment - 1));
}

void release(Device&, void* block) { free(block); }

void copy(Device&, void* to, const void* from, size_t bytes) {
  if (to != from) memcpy(to, from, bytes);
}

bool never_at_once(Device&, Awaited&) { return false; }

bool is_near(const Device&, const void*) { return true; }

// W: whoever has the name of the device's initial thread.
struct Cluster {
  RequestLists waiting;
  int running = -1;  // priority of the region that runs; -1: none
};

Cluster& cluster_of(const Device& device) { return *static_cast<Cluster*>(device.own); }

void start(Device& device, Request* request) {
  const bool may_interrupt = request->priority != 0;
  enqueue(device, request);
  if (may_interrupt) want_attention(device);
}

void sort_requests(Device& device) {
  settle_attention(device);
  for (Request* request = take_requests(device); request != nullptr;) {
    Request* next = request->next;
    cluster_of(device).waiting.push(request);
    request = next;
  }
}

TULLE_MAY_SUSPEND void run_first(Device& device) {
  Cluster& cluster = cluster_of(device);
  Request* request = cluster.waiting.pop();
  const int outer = cluster.running;
  cluster.running = request->priority;
  omp::Icv icv = device.icv;
  icv.observed = omp::tool::active();
  {
    omp::Thread* thread = omp::self();
    omp::tool::CalledByRuntime call(thread, __builtin_frame_address(0));
    omp::run_target(thread, request->function, request->arguments, request->thread_limit, icv);
  }
  cluster.running = outer;
  request->ended(request);
}

TULLE_MAY_SUSPEND void run_urgent(Device& device) {
  Cluster& cluster = cluster_of(device);
  for (;;) {
    sort_requests(device);
    const Request* first = cluster.waiting.first();
    if (first == nullptr || first->priority <= cluster.running) return;
    run_first(device);
  }
}

constexpr DeviceOperations kOperations = {allocate, release, copy,    copy,      start,
                                          never_at_once, is_near, nullptr, nullptr, run_urgent};

// On the initial thread.
void start_own_workers(const Device& device) {
  const sched::Crew* crew = sched::start_crew(omp::self()->worker, device.cpus);
  const int beside = crew != nullptr ? crew->size : 0;
  if (beside < device.cpus.count() - 1)
    os::report("device %d: only %d of %d workers: the system refuses another OS thread or its stack", device.number,
               beside + 1, device.cpus.count());
}

TULLE_MAY_SUSPEND void* serve(void* argument) {
  auto& device = *static_cast<Device*>(argument);
  become_server(device, &device.cpus);
  start_own_workers(device);
  become_root(device);
  const RequestLists& waiting = cluster_of(device).waiting;
  for (;;) {
    if (waiting.empty()) await_requests(device);
    sort_requests(device);
    if (!waiting.empty()) run_first(device);
  }
}

}  // namespace

bool start_cluster(Device& device) {
  device.own = create<Cluster>();
  if (device.own == nullptr) return false;
  device.operations = &kOperations;
  begin_to_attend();
  return os::start_thread(serve, &device, os::Signals::blocked, os::kStackOfProgram) == 0;
}

}  // namespace tulle::offload
