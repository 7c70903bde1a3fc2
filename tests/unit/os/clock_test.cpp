// SPDX-License-Identifier: Apache-2.0
#include "os/clock.h"

#include <gtest/gtest.h>

#include <thread>

namespace tulle::os {
namespace {

TEST(TimerSlack, IsTheCallingOsThreadsOwn) {
  uint64_t before = exchange_timer_slack(1000);
  EXPECT_EQ(exchange_timer_slack(2000), 1000u);
  std::thread([] { EXPECT_EQ(exchange_timer_slack(3000), 2000u) << "inherited"; }).join();
  EXPECT_EQ(exchange_timer_slack(before), 2000u);
}

}  // namespace
}  // namespace tulle::os
