// SPDX-License-Identifier: Apache-2.0
#include "offload/awaited.h"

#include "arch/cpu.h"
#include "offload/patience.h"
#include "omp/tool/events.h"
#include "os/clock.h"
#include "os/futex.h"
#include "sched/wait.h"

namespace tulle::offload {

namespace {

void poll(const sched::Event& event) {
  constexpr uint32_t kPausesBetweenYields = 1000;
  for (uint32_t i = 1; !event.happened(); ++i) {
    arch::pause();
    if (i % kPausesBetweenYields == 0) os::yield_core();
  }
}

TULLE_MAY_SUSPEND void wait_without_core(sched::Event& event) {
  auto has_ended = [&event] { return event.happened(); };
  if (poll_for_end(has_ended)) return;
  while (!has_ended()) sched::suspend_once(event, has_ended);
}

}  // namespace

void Awaited::tell(Request* request) {
  auto* awaited = static_cast<Awaited*>(request);
  if (way() != omp::TargetWait::block_os) return awaited->event.signal();
  awaited->woken.store(1, std::memory_order_release);
  os::futex_wake(awaited->woken, 1);
}

void Awaited::wait() {
  const omp::tool::DeviceWait told;
  switch (way()) {
    case omp::TargetWait::block_no_os:
      return wait_without_core(event);
    case omp::TargetWait::block_os:
      while (woken.load(std::memory_order_acquire) == 0) os::futex_wait(woken, 0);
      return;
    case omp::TargetWait::no_block:
      return poll(event);
  }
}

void Awaited::run_on(Device& device) {
  if (device.operations->run_at_once(device, *this)) return;
  if (!started) device.start(this);
  wait();
}

}  // namespace tulle::offload
