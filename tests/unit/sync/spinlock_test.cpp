// SPDX-License-Identifier: Apache-2.0
#include "sync/spinlock.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "sync/fork_locks.h"

namespace {

using tulle::sync::Guard;
using tulle::sync::Spinlock;

TULLE_HELD_AT_FORK Spinlock at_fork;

TEST(Spinlock, OneHolderAtATime) {
  constexpr int kThreads = 4, kRounds = 20000;
  Spinlock lock;
  long count = 0;  // a lost update shows
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round) {
        Guard guard(lock);
        ++count;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(count, long{kThreads} * kRounds);
}

TEST(Spinlock, IsTriedInVainWhileItIsHeld) {
  Spinlock lock;
  ASSERT_TRUE(lock.try_lock());
  EXPECT_FALSE(lock.try_lock());
  lock.unlock();
  {
    Guard guard(lock);
    EXPECT_FALSE(lock.try_lock());
  }
  EXPECT_TRUE(lock.try_lock());
}

// Those that only try it in passing leave it to one that waits, and get it once nobody does.
TEST(Spinlock, IsLeftToWhoWaits) {
  Spinlock lock;
  EXPECT_TRUE(lock.try_lock_if_unwanted());
  EXPECT_FALSE(lock.try_lock_if_unwanted());
  long count = 0;
  std::atomic<bool> ends{false};
  std::vector<std::thread> passers;
  for (int i = 0; i < 3; ++i)
    passers.emplace_back([&] {
      while (!ends.load(std::memory_order_relaxed))
        if (lock.try_lock_if_unwanted()) {
          ++count;
          lock.unlock();
        }
    });
  std::thread waits([&] {
    for (int i = 0; i < 1000; ++i) {
      Guard guard(lock);
      ++count;
    }
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  lock.unlock();
  waits.join();
  ends = true;
  for (std::thread& thread : passers) thread.join();
  EXPECT_GE(count, 1000);
  EXPECT_TRUE(lock.try_lock_if_unwanted()) << "nobody waits";
}

TEST(Spinlock, ForkHoldsThoseThatAreMarked) {
  tulle::sync::lock_for_fork();
  EXPECT_FALSE(at_fork.try_lock());
  tulle::sync::unlock_for_fork(__stop_tulle_fork_locks);
  EXPECT_TRUE(at_fork.try_lock());
  at_fork.unlock();
}

TEST(Spinlock, ForkWaitsForHolders) {
  at_fork.lock();
  std::atomic<bool> forks{false};
  std::thread forking([&] {
    tulle::sync::lock_for_fork();
    forks = true;
    tulle::sync::unlock_for_fork(__stop_tulle_fork_locks);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(forks);
  at_fork.unlock();
  forking.join();
  EXPECT_TRUE(forks);
}

}  // namespace
