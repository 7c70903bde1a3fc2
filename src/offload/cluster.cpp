// SPDX-License-Identifier: Apache-2.0
#include "offload/cluster.h"

#include <stdlib.h>
#include <string.h>

#include "offload/request_queue.h"
#include "omp/target/target_host.h"
#include "os/thread.h"

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

bool never_at_once(Device&, Request*) { return false; }

bool is_near(const Device&, const void*) { return true; }

constexpr DeviceOperations kOperations = {allocate, release, copy, copy, enqueue, never_at_once, is_near};

TULLE_MAY_SUSPEND void* serve(void* argument) {
  auto& device = *static_cast<Device*>(argument);
  become_server(device, &device.cpus);
  device.root.store(omp::self(), std::memory_order_release);
  RequestLists waiting;
  for (;;) {
    if (waiting.empty()) await_requests(device);
    for (Request* request = take_requests(device); request != nullptr;) {
      Request* next = request->next;
      waiting.push(request);
      request = next;
    }
    Request* request = waiting.pop();
    omp::run_target(omp::self(), request->function, request->arguments, request->thread_limit, device.icv);
    request->ended(request);
  }
}

}  // namespace

bool start_cluster(Device& device) {
  device.operations = &kOperations;
  return os::start_thread(serve, &device, os::Signals::blocked, os::kStackOfProgram) == 0;
}

}  // namespace tulle::offload
