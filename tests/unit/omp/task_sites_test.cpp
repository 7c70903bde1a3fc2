// SPDX-License-Identifier: Apache-2.0
#include "omp/queue/task_sites.h"

#include <gtest/gtest.h>

#include <memory>

namespace tulle::omp {
namespace {

constexpr int kEnough = 64;

TEST(TaskSites, AreTrustedAfterManyShortTasks) {
  auto sites = std::make_unique<TaskSites>();
  EXPECT_FALSE(sites->are_short(7));
  sites->note_short(7);
  EXPECT_FALSE(sites->are_short(7));
  for (int i = 0; i < kEnough; ++i) sites->note_short(7);
  EXPECT_TRUE(sites->are_untried(7));
  EXPECT_FALSE(sites->are_short(7));
  sites->note_tried(7);
  EXPECT_TRUE(sites->are_short(7));
  EXPECT_FALSE(sites->are_short(8));
}

TEST(TaskSites, AreTrustedAfterManyShortCalls) {
  auto sites = std::make_unique<TaskSites>();
  sites->note_tried(7);
  EXPECT_FALSE(sites->are_short(7));
  for (int i = 0; i < kEnough; ++i) sites->note_short_call(7);
  EXPECT_TRUE(sites->are_short(7));
}

TEST(TaskSites, LoseTrustByOneLongTask) {
  auto sites = std::make_unique<TaskSites>();
  for (int i = 0; i < 1000; ++i) sites->note_short_call(7);
  sites->note_long(7);
  EXPECT_FALSE(sites->are_short(7));
  EXPECT_FALSE(sites->are_untried(7));
  sites->note_short(7);
  EXPECT_FALSE(sites->are_short(7));
}

TEST(TaskSites, AreNeverShortOnceTheyYielded) {
  auto sites = std::make_unique<TaskSites>();
  EXPECT_FALSE(sites->yield(7));
  sites->note_yield(7);
  EXPECT_TRUE(sites->yield(7));
  sites->note_long(7);
  for (int i = 0; i < kEnough; ++i) sites->note_short(7);
  EXPECT_TRUE(sites->yield(7));
  EXPECT_FALSE(sites->are_short(7));
  EXPECT_FALSE(sites->yield(8));
}

TEST(TaskSites, TasksOfNoSiteAreNeverShort) {
  auto sites = std::make_unique<TaskSites>();
  for (int i = 0; i < kEnough; ++i) sites->note_short(TaskSites::kNone);
  EXPECT_FALSE(sites->are_short(TaskSites::kNone));
}

TEST(TaskSites, NumbersDifferForNeighbouringCode) {
  static char code[256];
  EXPECT_NE(TaskSites::number_of(code), TaskSites::number_of(code + 64));
  EXPECT_EQ(TaskSites::number_of(code), TaskSites::number_of(code));
}

// Wherever the system has put the program.
TEST(TaskSites, NoCodeIsOfNoSite) {
  for (uintptr_t address = 0; address < 1 << 22; address += 64)
    ASSERT_NE(TaskSites::number_of(reinterpret_cast<const void*>(address)), TaskSites::kNone);
}

}  // namespace
}  // namespace tulle::omp
