// SPDX-License-Identifier: Apache-2.0
// Regions on their way to a rank: which are posted, which wait, who hears of their ends, and what a loss leaves.
#include <gtest/gtest.h>

#include <deque>
#include <vector>

#include "offload/arena.h"
#include "offload/remote/rank_lanes.h"
#include "omp/thread/team.h"

namespace tulle::offload {
namespace {

struct Region : Request {
  int ends = 0;
};

struct RankLanesTest : testing::Test, tulle_remote {
  std::vector<Packet> said;
  Line line{this};
  Conversation talk{line, 1, {nullptr, nullptr, nullptr, nullptr}};
  alignas(64) char memory[4096];
  Arena arena;
  RankLanes lanes{talk, arena};
  void* block = nullptr;
  std::deque<Region> regions;

  static void keep(tulle_remote* self, int, const void* bytes, size_t) {
    Packet packet;
    memcpy(&packet, bytes, sizeof packet);
    static_cast<RankLanesTest*>(self)->said.push_back(packet);
  }
  static int nothing(tulle_remote*, const tulle_remote_events*, void*) { return 0; }

  RankLanesTest() : tulle_remote{0, 2, keep, nullptr, nullptr, nothing, nullptr} {
    omp::self_or_attach();
    arena.deal_out(memory, sizeof memory);
    block = arena.allocate(8, 64);
  }

  Region& add(uint8_t priority, bool served = false) {
    Region& region = regions.emplace_back();
    region.arguments = block;
    region.ended = [](Request* self) { ++static_cast<Region*>(self)->ends; };
    region.priority = priority;
    region.served = served;
    region.thread_limit = static_cast<uint32_t>(regions.size());  // its name here
    lanes.add(&region);
    return region;
  }
  void ran(uint32_t priority) {
    Packet packet{Packet::ran, 0, 0, 0, 0};
    packet.priority = priority;
    lanes.take_ran(packet);
  }
};

TEST_F(RankLanesTest, EachPriorityHasSomeAheadAndEndsInTheOrderPosted) {
  Region& low = add(0);
  Region& high = add(3);
  Region& low_too = add(0);
  ASSERT_EQ(said.size(), 3U);
  EXPECT_EQ(said[1].kind, Packet::run);
  EXPECT_EQ(said[1].priority, 3U);
  EXPECT_EQ(said[1].more, 0U);
  ran(3);
  EXPECT_EQ(high.ends, 1);
  EXPECT_EQ(low.ends, 0);
  ran(0);
  EXPECT_EQ(low.ends, 1);
  EXPECT_EQ(low_too.ends, 0);
  ran(0);
  EXPECT_EQ(low_too.ends, 1);
  ran(0);  // of none
  EXPECT_EQ(low.ends + low_too.ends + high.ends, 3);
}

// The rank knows whether others wait for their turn, so that it takes none of a lower priority meanwhile.
TEST_F(RankLanesTest, TheOthersWaitAndFollowOneByOne) {
  const uint32_t waiting = 3;
  for (uint32_t i = 0; i < Packet::kMostAhead + waiting; ++i) add(1);
  ASSERT_EQ(said.size(), Packet::kMostAhead + 1);
  EXPECT_EQ(said.back().kind, Packet::more_wait);
  EXPECT_EQ(said.back().priority, 1U);
  for (uint32_t i = 1; i <= waiting; ++i) {
    ran(1);
    EXPECT_EQ(said.back().kind, Packet::run);
    EXPECT_EQ(said.back().number, Packet::kMostAhead + i);
    EXPECT_EQ(said.back().more, i < waiting ? 1U : 0U);
  }
  for (uint32_t i = 0; i < Packet::kMostAhead; ++i) ran(1);
  EXPECT_EQ(said.size(), Packet::kMostAhead + 1 + waiting);
  for (const Region& region : regions) EXPECT_EQ(region.ends, 1);
}

TEST_F(RankLanesTest, WhatTheThreadOfTheDeviceEndsIsKeptForIt) {
  EXPECT_FALSE(lanes.some_served());
  sched::Event& stirred = lanes.expect();
  add(0);
  EXPECT_FALSE(stirred.happened());
  Region& served = add(0, true);
  EXPECT_TRUE(stirred.happened());  // there is one to wait for
  EXPECT_TRUE(lanes.some_served());
  EXPECT_EQ(lanes.take_ended(), nullptr);
  lanes.expect();
  ran(0);
  EXPECT_FALSE(stirred.happened());
  ran(0);
  EXPECT_TRUE(stirred.happened());
  EXPECT_EQ(served.ends, 0);
  EXPECT_EQ(lanes.take_ended(), &served);
  EXPECT_FALSE(lanes.some_served());
}

TEST_F(RankLanesTest, ALossFailsAllThatWereAddedAndAllThatCome) {
  for (uint32_t i = 0; i < Packet::kMostAhead + 1; ++i) add(2);
  Region& served = add(0, true);
  lanes.close();
  for (const Region& region : regions) EXPECT_EQ(region.ends, 0);
  lanes.fail_all();
  for (const Region& region : regions) {
    EXPECT_TRUE(region.failed);
    EXPECT_EQ(region.ends, &region == &served ? 0 : 1);
  }
  EXPECT_EQ(lanes.take_ended(), &served);
  size_t before = said.size();
  Region& late = add(1);
  EXPECT_TRUE(late.failed);
  EXPECT_EQ(late.ends, 1);
  EXPECT_EQ(said.size(), before);
}

}  // namespace
}  // namespace tulle::offload
