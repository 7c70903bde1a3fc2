// SPDX-License-Identifier: Apache-2.0
// The patient poll of those who meet at a tree.
#include "sched/poll.h"

#include <gtest/gtest.h>

#include "omp/region/process.h"
#include "omp/thread/thread.h"
#include "sched/alarm.h"

namespace tulle::omp {
namespace {

struct PollTest : testing::Test {
  uint64_t spin = 0;
  bool (*starter)() = sched::monitor_starter;

  void SetUp() override {
    self_or_attach();
    pause(false);  // settings are changed while there are no workers
    spin = sched::settings().spin_ns;
    sched::monitor_starter = nullptr;  // a monitor hands on what waits behind a poll
  }
  void TearDown() override {
    sched::set_spin(spin);
    sched::monitor_starter = starter;
  }
};

// A poll without an end lasts for 100 ms, which others on the machine may take from it.
template <class Poll>
bool in_one_of_many(Poll poll) {
  for (int i = 0; i < 100; ++i)
    if (poll()) return true;
  return false;
}

auto after(uint64_t nanoseconds) {
  return [until = os::now() + nanoseconds] { return os::now() >= until; };
}
auto never() {
  return [] { return false; };
}

TEST_F(PollTest, LastsAsLongAsAWorkerWouldPoll) {
  sched::set_spin(sched::kEndless);
  EXPECT_TRUE(in_one_of_many([] { return sched::poll_patiently(after(3000000), never(), 0); }));
  sched::set_spin(1000000);
  const uint64_t begun = os::now();
  EXPECT_FALSE(sched::poll_patiently(never(), never(), 0));
  // Another process that has the core ends it earlier.
  EXPECT_GE(os::now() - begun, sched::durations::kYieldEvery);
}

TEST_F(PollTest, EndsAtTheMostThatItsCallerAsksFor) {
  sched::set_spin(sched::kEndless);
  const uint64_t begun = os::now();
  EXPECT_TRUE(in_one_of_many([] {
    const uint64_t call = os::now();
    EXPECT_FALSE(sched::poll_patiently(never(), never(), 0, sched::durations::kPollOn));
    return os::now() - call < sched::durations::kEndlessInFact / 2;
  }));
  EXPECT_GE(os::now() - begun, sched::durations::kYieldEvery);
}

TEST_F(PollTest, EndsAtOnceWhereNobodyPolls) {
  sched::set_spin(0);
  EXPECT_FALSE(sched::poll_patiently(never(), never(), 0));
}

TEST_F(PollTest, TakesTheOtherLookNowAndThen) {
  sched::set_spin(sched::kEndless);
  int looks = 0;
  EXPECT_TRUE(in_one_of_many([&] { return sched::poll_patiently(never(), [&] { return ++looks == 3; }, 0); }));
  EXPECT_EQ(looks, 3);
}

TEST_F(PollTest, GivesWayToWhatWaitsBehindIt) {
  sched::set_spin(sched::kEndless);
  sched::Worker* worker = sched::current()->worker;
  sched::Entity entity;
  worker->queue.push_bound(&entity);
  EXPECT_FALSE(sched::poll_patiently(never(), never(), 0));
  EXPECT_EQ(worker->queue.pop_owner(), &entity);
}

}  // namespace
}  // namespace tulle::omp
