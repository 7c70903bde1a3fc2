// SPDX-License-Identifier: Apache-2.0
#include "os/clock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

namespace tulle::os {
namespace {

TEST(TimerSlack, IsTheCallingOsThreadsOwn) {
  uint64_t before = exchange_timer_slack(1000);
  EXPECT_EQ(exchange_timer_slack(2000), 1000u);
  std::thread([] { EXPECT_EQ(exchange_timer_slack(3000), 2000u) << "inherited"; }).join();
  EXPECT_EQ(exchange_timer_slack(before), 2000u);
}

uint64_t shortest_wait_by_pauses(uint64_t nanoseconds) {
  uint64_t shortest = UINT64_MAX;
  for (int i = 0; i < 50; ++i) {
    const uint64_t begun = now();
    pause_for(nanoseconds);
    shortest = std::min(shortest, now() - begun);
  }
  return shortest;
}

TEST(Pauses, LastAsLongAsAskedFor) {
  measure_pauses();
  EXPECT_EQ(pauses_in(0), 1u);
  const uint64_t wanted = 100000, waited = shortest_wait_by_pauses(wanted);
  EXPECT_GT(waited, wanted / 2);
  EXPECT_LT(waited, wanted * 2);
}

}  // namespace
}  // namespace tulle::os
