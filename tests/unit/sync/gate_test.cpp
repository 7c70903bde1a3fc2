// SPDX-License-Identifier: Apache-2.0
#include "sync/gate.h"

#include <gtest/gtest.h>

#include <array>
#include <thread>
#include <vector>

#include "sync/spinlock.h"

namespace {

using tulle::sync::Gate;
using tulle::sync::Guard;
using tulle::sync::Spinlock;

struct Closed {
  Gate gate;
  Gate::Pass pass;
  void close() {
    gate.close([this](auto wait_for) { wait_for(pass); });
  }
};

TEST(Gate, TurnsAwayWhoComesWhileItIsClosed) {
  Closed at;
  at.close();
  EXPECT_FALSE(at.gate.try_enter(at.pass));
  at.close();  // which would wait for whoever is inside: nobody was left there
  at.gate.open();
  EXPECT_TRUE(at.gate.try_enter(at.pass));
  at.gate.leave(at.pass);
}

TEST(Gate, ClosingWaitsForWhoIsInside) {
  Closed at;
  ASSERT_TRUE(at.gate.try_enter(at.pass));
  std::atomic<bool> closed{false};
  std::thread closing([&] {
    at.close();
    closed = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(closed);
  at.gate.leave(at.pass);
  closing.join();
  EXPECT_TRUE(closed);
}

// Two counts that are equal wherever nobody is inside, a torn look or a lost update shows.
TEST(Gate, OneClosesWhileManyPass) {
  constexpr int kPassing = 3, kRounds = 20000;
  Gate gate;
  Spinlock closers;
  std::array<Gate::Pass, kPassing> passes;
  std::array<long, kPassing> begun{}, ended{};
  std::atomic<int> left{kPassing};
  std::vector<std::thread> threads;
  for (int i = 0; i < kPassing; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; round < kRounds; ++round) {
        gate.enter(passes[i]);
        ++begun[i];
        ++ended[i];
        gate.leave(passes[i]);
      }
      --left;
    });
  long torn = 0;
  do {
    Guard guard(closers);
    gate.close([&](auto wait_for) {
      for (Gate::Pass& pass : passes) wait_for(pass);
    });
    for (int i = 0; i < kPassing; ++i) torn += begun[i] != ended[i];
    gate.open();
  } while (left != 0);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(torn, 0);
  for (int i = 0; i < kPassing; ++i) EXPECT_EQ(begun[i], kRounds);
}

}  // namespace
