// SPDX-License-Identifier: Apache-2.0
// ClaimRange: each number goes to exactly one taker, be it reserved for the owner or open to all, however
// late a taker is.
#include "sync/claim_range.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>

#include "os/fence.h"

namespace {

using tulle::sync::ClaimRange;
using tulle::sync::OwnClaim;

constexpr uint32_t kNone = ClaimRange::kNone;

TEST(ClaimRange, OwnerClaimsFromTheLowEndAndThievesFromTheHigh) {
  ClaimRange range;
  range.publish(7, 3, 6);
  EXPECT_EQ(range.left(), 3u);
  EXPECT_EQ(range.claim_low(6), kNone);
  EXPECT_EQ(range.claim_low(7), 3u);
  EXPECT_EQ(range.claim_high(7), 5u);
  EXPECT_EQ(range.claim_high(7), 4u);
  EXPECT_EQ(range.claim_low(7), kNone);
  EXPECT_EQ(range.left(), 0u);
}

TEST(ClaimRange, ReservedNumberIsTheOwnersAlone) {
  ClaimRange range;
  OwnClaim own;
  uint32_t generation = 0;
  EXPECT_EQ(range.claim_reserved(own, generation), kNone);
  range.reserve(9, 1);
  EXPECT_EQ(range.left(), 0u);
  EXPECT_EQ(range.left_for(own), 1u);
  EXPECT_FALSE(range.open_in(generation));
  EXPECT_EQ(range.claim_low(9), kNone);
  EXPECT_EQ(range.claim_high(9), kNone);
  EXPECT_EQ(range.claim_reserved(own, generation), 1u);
  EXPECT_EQ(generation, 9u);
  EXPECT_EQ(range.left_for(own), 0u);
  EXPECT_EQ(range.claim_reserved(own, generation), kNone);
}

TEST(ClaimRange, WhatTheOwnerHasTakenIsNotOpened) {
  ClaimRange range;
  OwnClaim own;
  uint32_t generation;
  range.reserve(2, 5);
  EXPECT_EQ(range.claim_reserved(own, generation), 5u);
  EXPECT_FALSE(range.open_reserved(own));
  EXPECT_EQ(range.claim_high(2), kNone);
  EXPECT_EQ(range.left_for(own), 0u);
}

TEST(ClaimRange, WhatIsOpenedIsForAll) {
  ClaimRange range;
  OwnClaim own;
  uint32_t generation;
  range.reserve(2, 5);
  EXPECT_TRUE(range.open_reserved(own));
  EXPECT_FALSE(range.open_reserved(own));
  EXPECT_EQ(range.left_for(own), 1u);
  EXPECT_EQ(range.claim_reserved(own, generation), kNone);
  EXPECT_EQ(range.claim_high(2), 5u);
  EXPECT_EQ(range.claim_low(2), kNone);
  EXPECT_EQ(range.left_for(own), 0u);
}

TEST(ClaimRange, SameWordIsNotReservedTwice) {
  ClaimRange range;
  OwnClaim own;
  uint32_t generation;
  range.reserve(0, 1);
  EXPECT_EQ(range.claim_reserved(own, generation), 1u);
  range.publish(1, 1, 2);
  EXPECT_FALSE(range.reserve_anew(own, ClaimRange::kGenerationMask + 1, 1));
  EXPECT_EQ(range.claim_high(0), 1u);
  EXPECT_TRUE(range.reserve_anew(own, 1, 1));
  EXPECT_EQ(range.claim_reserved(own, generation), 1u);
}

// A publisher of one number at a time, its owner, and a thief; each waits a while at random. The publisher
// opens what it reserved when it is tired of waiting.
class Contended : public testing::TestWithParam<bool> {
 protected:
  static constexpr uint32_t kRegions = 20000;
  static constexpr uint32_t kNumber = 3;

  void TearDown() override { tulle::os::init_fences(); }

  void run(uint32_t number) {
    EXPECT_EQ(number, kNumber);
    EXPECT_EQ(data_, region_.load(std::memory_order_relaxed));  // ordered by the claim
    ran_.fetch_add(1, std::memory_order_release);
  }

  void own() {
    std::minstd_rand random(1);
    uint32_t generation;
    while (!stop_) {
      if (random() % 64 == 0) std::this_thread::yield();
      if (range_.left_for(own_) == 0) continue;
      uint32_t number = range_.claim_reserved(own_, generation);
      if (number == kNone && range_.open_in(generation)) number = range_.claim_low(generation);
      if (number != kNone) run(number);
    }
  }

  void steal() {
    uint32_t generation;
    while (!stop_)
      if (range_.open_in(generation))
        if (uint32_t number = range_.claim_high(generation); number != kNone) run(number);
  }

  void publish() {
    std::minstd_rand random(2);
    bool reserved = false;
    for (uint32_t region = 1; region <= kRegions; ++region) {
      data_ = region;
      region_.store(region, std::memory_order_relaxed);
      if (reserved)
        range_.reserve(region, kNumber);
      else
        reserved = range_.reserve_anew(own_, region, kNumber);
      for (uint32_t patience = random() % 400; ran_.load(std::memory_order_acquire) != region;) {
        if (patience-- != 0) continue;
        if (range_.open_reserved(own_)) reserved = false;
        if (uint32_t number = range_.claim_high(region); number != kNone) run(number);
        std::this_thread::yield();
      }
    }
    stop_ = true;
  }

  ClaimRange range_;
  OwnClaim own_;
  uint32_t data_ = 0;  // W: publisher, before it publishes; R: who has claimed
  std::atomic<uint32_t> region_{0}, ran_{0};
  std::atomic<bool> stop_{false};
};

TEST_P(Contended, EachNumberIsTakenOnce) {
  if (GetParam())
    tulle::os::init_fences();
  else
    tulle::os::asymmetric_fences = false;
  std::thread owner([this] { own(); }), thief([this] { steal(); });
  publish();
  owner.join();
  thief.join();
  EXPECT_EQ(ran_.load(), kRegions);
}

INSTANTIATE_TEST_SUITE_P(ClaimRange, Contended, testing::Bool(), [](const auto& mode) {
  return mode.param ? "ByMembarrier" : "ByFullFences";
});

}  // namespace
