// SPDX-License-Identifier: Apache-2.0
// An OS thread that spins is sent on leave for as long as somebody else's region lasts; one that computes is not.
#include "sched/outside_spin.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "os/clock.h"
#include "os/thread.h"

namespace tulle::sched {
namespace {

std::atomic<bool> region_lasts{true};

bool lasts() { return region_lasts.load(); }

// The part of a core that `code(end)` has while ticks come every 2 ms, after the first quarter of them.
double part_of_core(void (*code)(const std::atomic<bool>& end), int ticks) {
  static OutsideSpin spins[4];  // answers may be late
  static int used = 0;
  OutsideSpin& spin = spins[used++];
  std::atomic<bool> end{false};
  std::atomic<int> kernel_id{0};
  std::thread thread([&] {
    kernel_id.store(os::kernel_thread_id());
    code(end);
  });
  while (kernel_id.load() == 0) usleep(100);
  uint64_t cpu_time = 0, begin = 0;
  for (int i = 0; i < ticks; ++i) {
    if (i == ticks / 4) {
      cpu_time = os::cpu_time_of(kernel_id.load());
      begin = os::now();
    }
    usleep(2000);
    spin.tick(kernel_id.load(), 2000000, lasts);
  }
  double used_time = static_cast<double>(os::cpu_time_of(kernel_id.load()) - cpu_time);
  double part = used_time / static_cast<double>(os::now() - begin);
  end.store(true);
  thread.join();
  return part;
}

__attribute__((optimize("O2"), no_sanitize_address, no_sanitize_undefined)) void wait_in_place(
    const std::atomic<bool>& end) {
  static_assert(sizeof end == sizeof(bool));
  while (!__atomic_load_n(reinterpret_cast<const bool*>(&end), __ATOMIC_ACQUIRE)) {
  }
}

uint64_t result;

void compute(const std::atomic<bool>& end) {
  uint64_t number = 1;
  while (!end.load(std::memory_order_acquire))
    for (int i = 0; i < 1000; ++i) number = number * 6364136223846793005u + 1442695040888963407u;
  result = number;
}

TEST(OutsideSpin, WhoSpinsIsOnLeaveWhileRegionLasts) {
  region_lasts.store(true);
  double part = part_of_core(wait_in_place, 200);
  EXPECT_LT(part, 0.2);
}

// The same ticks change nothing for these, beside whatever else the machine does.
TEST(OutsideSpin, WhoComputesIsLeftAlone) {
  region_lasts.store(true);
  double computing = part_of_core(compute, 100);
  region_lasts.store(false);
  double spinning = part_of_core(wait_in_place, 100);
  EXPECT_GT(computing, spinning / 3);
  EXPECT_GT(spinning, computing / 3);
}

}  // namespace
}  // namespace tulle::sched
