// SPDX-License-Identifier: Apache-2.0
// A region whose end a thread waits for, as TULLE_TARGET_WAIT says.
#pragma once

#include "offload/device.h"
#include "omp/icv/device_list.h"
#include "sched/event.h"

namespace tulle::offload {

struct Awaited : Request {
  Awaited(omp::RegionFunction function, void* arguments, uint32_t thread_limit)
      : Request{function, arguments, thread_limit, &tell} {}

  static omp::TargetWait way() { return omp::device_settings.wait.value; }

  // Runs it, and returns when it has ended.
  TULLE_MAY_SUSPEND void run_on(Device& device);

  sched::Event event;              // for a waiter that polls, or suspends its ULT
  std::atomic<uint32_t> woken{0};  // futex word, for one that sleeps in the kernel

 private:
  static void tell(Request* request);
  TULLE_MAY_SUSPEND void wait();
};

}  // namespace tulle::offload
