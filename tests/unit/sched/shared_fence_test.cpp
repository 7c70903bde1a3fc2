// SPDX-License-Identifier: Apache-2.0
#include "sched/shared_fence.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace tulle::sched {
namespace {

std::atomic<uint32_t> begun{0}, ended{0};

void counted_fence() {
  begun.fetch_add(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  ended.fetch_add(1);
}

struct SharedFenceTest : testing::Test {
  SharedFence<counted_fence> fence;
  void SetUp() override {
    begun = 0;
    ended = 0;
  }
};

bool never() { return false; }
bool always() { return true; }

TEST_F(SharedFenceTest, IsPassedForOneAlone) {
  fence.pass(0, never, never);
  fence.pass(1000000000, always, never);
  fence.pass(1, never, never);
  EXPECT_EQ(ended, 3u);
}

TEST_F(SharedFenceTest, IsPassedOnceForAllThatCome) {
  constexpr uint32_t kThreads = 16;
  std::atomic<uint32_t> come{0};
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      come.fetch_add(1);
      fence.pass(uint64_t{60} * 1000000000, [&] { return come == kThreads; }, never);
    });
  for (std::thread& thread : threads) thread.join();
  // Whoever has said that it comes may do so while another one passes the fence.
  EXPECT_GE(ended, 1u);
  EXPECT_LE(ended, 3u);
}

// None that began before one came is enough for it.
TEST_F(SharedFenceTest, BeginsAfterTheyHaveCome) {
  constexpr int kThreads = 8, kTimes = 100;
  std::atomic<uint32_t> too_early{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int time = 0; time < kTimes; ++time) {
        const uint32_t before = begun;
        fence.pass(0, never, never);
        if (ended <= before) too_early.fetch_add(1);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(too_early, 0u);
  EXPECT_EQ(begun, ended);
  EXPECT_LT(ended, uint32_t{kThreads * kTimes});
}

TEST_F(SharedFenceTest, IsNotWaitedForWhereNeedless) {
  fence.pass(uint64_t{60} * 1000000000, never, always);
  EXPECT_EQ(begun, 0u);
}

}  // namespace
}  // namespace tulle::sched
