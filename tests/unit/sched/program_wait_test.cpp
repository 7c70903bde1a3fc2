// SPDX-License-Identifier: Apache-2.0
// Waits for objects of the program's (sched/program_wait.h): who is ended by an announcement, and by time. Nobody is
// suspended here.
#include "sched/program_wait.h"

#include <gtest/gtest.h>

#include "sched/durations.h"

namespace tulle::sched {
namespace {

struct ProgramWaitTest : testing::Test {
  int object = 0, other = 0;
  ProgramWait first{&object}, second{&object}, elsewhere{&other};

  ProgramWaitTest() {
    first.begin();
    second.begin();
    elsewhere.begin();
  }
  ~ProgramWaitTest() override { reset_program_waits_after_fork(); }
};

TEST_F(ProgramWaitTest, AnnouncesAsManyAsAskedForOfThatObject) {
  EXPECT_EQ(announce(&object, 1), 1u);
  EXPECT_EQ(announce(&object, 2), 1u);
  EXPECT_EQ(announce(&object, 1), 0u);
  EXPECT_EQ(announce(&other, UINT32_MAX), 1u);
}

TEST_F(ProgramWaitTest, WhatIsGivenUpIsNotAnnounced) {
  first.give_up();
  EXPECT_EQ(announce(&object, UINT32_MAX), 1u);
  second.give_up();  // which is over already
  EXPECT_EQ(announce(&object, UINT32_MAX), 0u);
}

TEST_F(ProgramWaitTest, EndsByTimeWhatNobodyAnnounces) {
  for (uint32_t tick = 1; tick < durations::kProgramPatience; ++tick) EXPECT_TRUE(tick_program_waits());
  ProgramWait late(&object);
  late.begin();
  EXPECT_TRUE(tick_program_waits());
  EXPECT_EQ(announce(&other, UINT32_MAX), 0u);
  EXPECT_EQ(announce(&object, UINT32_MAX), 1u);
  EXPECT_FALSE(tick_program_waits());
}

}  // namespace
}  // namespace tulle::sched
