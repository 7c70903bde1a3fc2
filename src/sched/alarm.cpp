// SPDX-License-Identifier: Apache-2.0
#include "sched/alarm.h"

#include "arch/cpu.h"
#include "os/fence.h"
#include "os/futex.h"
#include "sched/publish.h"
#include "sched/settings.h"
#include "sched/sleepers.h"
#include "sched/workers.h"

namespace tulle::sched {

bool (*monitor_starter)() = nullptr;

namespace {

std::atomic<uint32_t> armed{0};  // futex word: 1 while the monitor ticks
std::atomic<bool> started{false};
std::atomic<uint32_t> alarm{0};  // futex word: 1 from alarm_monitor() until the monitor has seen it

std::atomic<bool> tasks_left{false};  // to sleepers; W: monitor

TULLE_COLD void arm_slow() {
  if (armed.exchange(1, std::memory_order_relaxed) != 0) return;
  if (started.exchange(true, std::memory_order_relaxed)) {
    os::futex_wake(armed, 1);
    return;
  }
  if (monitor_starter == nullptr || !monitor_starter()) {
    started.store(false, std::memory_order_relaxed);
    armed.store(0, std::memory_order_relaxed);  // the next one to leave work behind tries again
  }
}

}  // namespace

void arm_monitor() {
  if (TULLE_UNLIKELY(armed.load(std::memory_order_relaxed) == 0)) arm_slow();
}

void alarm_monitor() {
  arm_monitor();
  if (alarm.exchange(1, std::memory_order_release) == 0) os::futex_wake(alarm, 1);
}

void wake_monitor() {
  armed.store(1, std::memory_order_relaxed);
  alarm.store(1, std::memory_order_relaxed);  // the pool's end is published already
  os::futex_wake(armed, 1);
  os::futex_wake(alarm, 1);
}

bool await_alarm(uint64_t patience) {
  os::futex_wait_for(alarm, 0, patience);
  return alarm.exchange(0, std::memory_order_acquire) != 0;  // pairs with alarm_monitor
}

void disarm_monitor() {
  armed.store(0, std::memory_order_relaxed);  // ordered by the heavy fence
  os::heavy_fence();
}

void leave_tasks_to_sleepers(bool left) { tasks_left.store(left, std::memory_order_relaxed); }

void note_awake() {
  os::hot_fence();
  if (TULLE_UNLIKELY(tasks_left.load(std::memory_order_relaxed))) arm_monitor();
}

bool await_arming(uint64_t patience) {
  auto needed = [] {
    return armed.load(std::memory_order_relaxed) != 0 ||
           pool_ends.load(std::memory_order_acquire) != 0;  // set before wake_monitor() arms
  };
  while (!needed()) {
    if (patience != kEndless) {
      os::futex_wait_for(armed, 0, patience);
      return needed();
    }
    os::futex_wait(armed, 0);
  }
  return true;
}

void reset_alarm() {
  armed.store(0, std::memory_order_relaxed);
  started.store(false, std::memory_order_relaxed);
  alarm.store(0, std::memory_order_relaxed);
  tasks_left.store(false, std::memory_order_relaxed);
  stand_ins.spares.store(0, std::memory_order_relaxed);
}

}  // namespace tulle::sched
