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
