// SPDX-License-Identifier: Apache-2.0
// The regions that wait for a device, and the OS thread of this process that takes them.
#pragma once

#include "base/list.h"
#include "offload/device.h"

namespace tulle::offload {

// Any thread. Wakes the device's OS thread if it sleeps.
void enqueue(Device& device, Request* request);
void wake(Device& device);

// The device's OS thread, whose name and CPUs become the device's; from then on it is an initial thread.
void become_server(Device& device, const CpuSet* cpus);

// Returns when there are requests: polls as long as workers do, then sleeps.
void await_requests(Device& device);

// All that came, the first one first.
Request* take_requests(Device& device);

// Those that have been taken and not begun: by their priorities, and of each the first one first. Owner: the
// device's OS thread.
class RequestLists {
 public:
  void push(Request* request) { lists_[request->priority].push_back(request); }
  Request* pop() {
    for (int priority = kPriorities; priority-- > 0;)
      if (!lists_[priority].empty()) return lists_[priority].pop_front();
    return nullptr;
  }
  Request* first() const {
    for (int priority = kPriorities; priority-- > 0;)
      if (!lists_[priority].empty()) return lists_[priority].front();
    return nullptr;
  }
  bool empty() const {
    for (const auto& list : lists_)
      if (!list.empty()) return false;
    return true;
  }

 private:
  Fifo<Request, &Request::next> lists_[kPriorities];
};

}  // namespace tulle::offload
