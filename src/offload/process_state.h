// SPDX-License-Identifier: Apache-2.0
// What the host keeps of a device that is a process (process.h), and the parts of that kind that stand in files of
// their own.
//
// Whoever makes a request posts it, if the lane of its priority has room; else the host's OS thread for the device does
// when it has. Who waits for a region polls for its end a while, and leaves it to that thread then.
#pragma once

#include "offload/arena.h"
#include "offload/channel.h"
#include "offload/code_ranges.h"
#include "os/child.h"
#include "sched/durations.h"

namespace tulle::offload {

namespace durations = sched::durations;

inline constexpr uint64_t kPollBeforeSleep = 40000;  // nanoseconds

struct Process {
  Arena arena;
  os::KeptChild* child = nullptr;
  Channel* channel = nullptr;
  void* bounce = nullptr;
  omp::Lock bouncing;  // of the bounce memory, and of what is copied by it
  CodeRanges code;     // what was loaded at the fork
  sync::Spinlock posting;  // in lanes of regions, and counting what waits for that

  void post_locked(Request* request) TULLE_UNDER(posting) {
    request->started = true;
    request->order = channel->post(request->priority, {Order::run, request->thread_limit, request->function,
                                                       request->arguments, nullptr, nullptr, 0});
  }
  bool is_answered(const Request* request) const { return channel->is_answered(request->priority, request->order); }
};

inline Process& process_of(const Device& device) { return *static_cast<Process*>(device.own); }
inline bool has_lost_process(const Device& device) { return device.lost.load(std::memory_order_acquire); }

// Looks whether the process has ended, and says so in one line.
bool has_ended(Device& device);

// The host's OS thread for the device: the argument.
TULLE_MAY_SUSPEND void* serve_process(void* device);

// The process: on top of the thread that forked it, which never comes back.
[[noreturn]] TULLE_MAY_SUSPEND void obey(Device& device, int host);

// In a region of it.
TULLE_MAY_SUSPEND void run_urgent_orders(Device& device);

}  // namespace tulle::offload
