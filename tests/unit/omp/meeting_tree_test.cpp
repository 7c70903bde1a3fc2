// SPDX-License-Identifier: Apache-2.0
#include "omp/thread/meeting_tree.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "arch/cpu.h"
#include "os/clock.h"

namespace tulle::omp {
namespace {

struct Free {
  void operator()(sched::Clusters* clusters) const { sched::Clusters::free(clusters); }
  void operator()(MeetingTree* tree) const { MeetingTree::free(tree); }
};
using TreePtr = std::unique_ptr<MeetingTree, Free>;

// Two packages of two clusters of two.
constexpr const char* kMachine = "pack:2 l3:2 core:2 pu:1";

TreePtr tree_of(const char* machine, uint32_t members, uint32_t first) {
  topology::TreePtr topology = topology::from_synthetic(machine);
  std::unique_ptr<sched::Clusters, Free> clusters(sched::Clusters::make(*topology, members));
  return TreePtr(MeetingTree::make(*clusters, members, first, true));
}

bool advance(MeetingTree& tree, uint32_t member, uint32_t barrier) {
  return tree.advance(member, barrier, [] {});
}
bool advance_whole(MeetingTree& tree, uint32_t member, uint32_t barrier) {
  return tree.advance_whole(member, barrier, [] {});
}

TEST(MeetingTree, NobodyLeavesBeforeAllHaveCome) {
  TreePtr tree = tree_of(kMachine, 8, 1);
  for (uint32_t missing = 0; missing < 8; ++missing) {
    const uint32_t barrier = 1 + missing;
    for (uint32_t i = 0; i < 8; ++i)
      if (i != missing) tree->arrive(i, barrier);
    for (uint32_t i = 0; i < 8; ++i) {
      if (i == missing) continue;
      EXPECT_FALSE(advance(*tree, i, barrier));
      EXPECT_FALSE(advance_whole(*tree, i, barrier));
    }
    tree->arrive(missing, barrier);
    EXPECT_TRUE(advance_whole(*tree, missing, barrier));
    for (uint32_t i = 0; i < 8; ++i) EXPECT_TRUE(advance_whole(*tree, i, barrier));
  }
}

TEST(MeetingTree, LeadersAloneAreEnough) {
  for (uint32_t members : {9u, 33u, 128u, 600u}) {
    TreePtr tree = tree_of("pack:40 l3:2 core:4 pu:1", members, 7);
    for (uint32_t i = 0; i < members; ++i) tree->arrive(i, 7);
    std::vector<bool> left(members);
    uint32_t still = members;
    // One round for each level up, and each down.
    for (int round = 0; round < 16 && still != 0; ++round)
      for (uint32_t i = 0; i < members; ++i)
        if (!left[i] && advance(*tree, i, 7)) {
          left[i] = true;
          --still;
        }
    EXPECT_EQ(still, 0u) << members;
  }
}

TEST(MeetingTree, AMemberThatIsToldTellsItsCluster) {
  TreePtr tree = tree_of(kMachine, 8, 1);
  for (uint32_t i = 0; i < 8; ++i) tree->arrive(i, 1);
  EXPECT_FALSE(advance(*tree, 1, 1));
  for (uint32_t i : {2u, 4u, 6u}) advance_whole(*tree, i, 1);
  EXPECT_TRUE(advance_whole(*tree, 1, 1));  // in the place of its leader
  EXPECT_TRUE(advance(*tree, 1, 1));
}

TEST(MeetingTree, WordsAreRaisedOnce) {
  TreePtr tree = tree_of(kMachine, 8, 1);
  int raised = 0;
  auto count = [&] { ++raised; };
  for (uint32_t i = 0; i < 8; ++i) {
    tree->arrive(i, 1);
    tree->advance_whole(i, 1, count);
  }
  EXPECT_EQ(raised, 4);  // of four clusters, which are tops
}

TEST(MeetingTree, NumbersMayWrapAround) {
  const uint32_t first = UINT32_MAX - 2;
  TreePtr tree = tree_of(kMachine, 8, first);
  for (uint32_t n = 0; n < 6; ++n) {
    for (uint32_t i = 0; i < 8; ++i) {
      EXPECT_FALSE(advance_whole(*tree, 0, first + n));
      tree->arrive(i, first + n);
    }
    for (uint32_t i = 0; i < 8; i += 2) advance_whole(*tree, i, first + n);
    for (uint32_t i = 0; i < 8; ++i) EXPECT_TRUE(advance_whole(*tree, i, first + n));
  }
}

// Real threads, each of which does its own part or the whole by turns: none is ahead by more than one barrier.
TEST(MeetingTree, HoldsRealThreadsTogether) {
  constexpr uint32_t kMembers = 9, kBarriers = 300;
  TreePtr tree = tree_of(kMachine, kMembers, 1);
  std::atomic<uint32_t> at[kMembers] = {};
  std::atomic<bool> wrong{false};
  auto run = [&](uint32_t member) {
    uint32_t plain = 0;
    for (uint32_t barrier = 1; barrier <= kBarriers; ++barrier) {
      at[member].store(barrier, std::memory_order_relaxed);
      tree->arrive(member, barrier);
      for (;; os::yield_core()) {
        bool whole = (member + ++plain) % 3 == 0;
        if (whole ? tree->advance_whole(member, barrier, [] { arch::full_fence(); }) : advance(*tree, member, barrier)) break;
      }
      for (auto& other : at)
        if (other.load(std::memory_order_relaxed) < barrier) wrong = true;
    }
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < kMembers; ++i) threads.emplace_back(run, i);
  for (auto& thread : threads) thread.join();
  EXPECT_FALSE(wrong);
}

constexpr auto wait_until = [](auto done) {
  while (!done()) os::yield_core();
};

// Sums that are wrong if one is added twice or not at all, or read after its owner has gone on.
TEST(MeetingTree, AReductionHasEachMembersDataOnce) {
  constexpr uint32_t kReductions = 300;
  for (uint32_t members : {2u, 7u, 9u, 16u}) {
    TreePtr tree = tree_of("pack:10 l3:2 core:2 pu:1", members, 1);
    std::atomic<uint32_t> wrong{0}, firsts{0};
    const auto combine = [](void* data, void* other) { *static_cast<uint64_t*>(data) += *static_cast<uint64_t*>(other); };
    auto run = [&](uint32_t member) {
      for (uint64_t round = 1; round <= kReductions; ++round) {
        uint64_t own = round << member;
        const bool first = tree->reduce(member, &own, combine, wait_until, [] {});
        if (first != (member == 0)) ++wrong;
        if (first && own != (round << members) - round) ++wrong;
        if (first) ++firsts;
        own = 0;
      }
    };
    std::vector<std::thread> threads;
    for (uint32_t i = 0; i < members; ++i) threads.emplace_back(run, i);
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0u) << members;
    EXPECT_EQ(firsts, kReductions) << members;
  }
}

TEST(MeetingTree, AReductionIsInTheOrderOfTheMembers) {
  TreePtr tree = tree_of(kMachine, 8, 1);
  std::string all;
  auto run = [&](uint32_t member) {
    std::string own(1, static_cast<char>('a' + member));
    const auto combine = [](void* data, void* other) { *static_cast<std::string*>(data) += *static_cast<std::string*>(other); };
    if (tree->reduce(member, &own, combine, wait_until, [] {})) all = own;
  };
  std::vector<std::thread> threads;
  for (uint32_t i = 0; i < 8; ++i) threads.emplace_back(run, i);
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(all, "abcdefgh");
}

// Calls check(tree, members) for teams of some sizes on machines of several kinds.
template <class Check>
void for_some_trees(Check check) {
  for (const char* machine : {kMachine, "pack:40 l3:2 core:4 pu:1", "pack:1 l3:1 core:36 pu:1"}) {
    for (uint32_t members : {3u, 8u, 9u, 33u}) {
      SCOPED_TRACE(std::to_string(members) + " on " + machine);
      check(*tree_of(machine, members, 1), members);
    }
  }
}

TEST(MeetingTree, AFewOfAClusterAreCountedTogether) {
  for_some_trees([](const MeetingTree& tree, uint32_t members) {
    std::vector<uint32_t> counted(members);
    for (uint32_t i = 0; i < members; ++i) {
      const uint32_t counter = tree.counter_of(i), leader = tree.leader_of(i);
      ASSERT_LT(counter, members);
      EXPECT_EQ(tree.leader_of(counter), leader);
      EXPECT_TRUE(tree.counter_of(counter) == counter || counter == leader);
      EXPECT_EQ(counter == leader, tree.cluster_size(i) <= 4) << i;
      EXPECT_LE(++counted[counter], 4u);
    }
  });
}

TEST(MeetingTree, EachMemberIsToldOfARegionByOne) {
  for_some_trees([](const MeetingTree& tree, uint32_t members) {
    std::vector<int> told(members);
    for (uint32_t i = 0; i < members; ++i) {
      tree.for_each_told_by(i, [&](uint32_t other) {
        ++told[other];
        EXPECT_TRUE(i == 0 || tree.leader_of(other) == i);
      });
    }
    EXPECT_EQ(told[0], 0);
    for (uint32_t i = 1; i < members; ++i) EXPECT_EQ(told[i], 1) << i;
  });
}

}  // namespace
}  // namespace tulle::omp
