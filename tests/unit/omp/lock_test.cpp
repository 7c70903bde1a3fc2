// SPDX-License-Identifier: Apache-2.0
// Locks between pthreads that never enter a region, and what misuse gets.
#include "omp/sync/lock.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include "omp/thread/thread.h"

namespace tulle::omp {
namespace {

template <class Work>
void run_threads(int count, Work work) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
}

TEST(Lock, ZeroedMemoryIsFree) {
  alignas(Lock) unsigned char memory[sizeof(Lock)] = {};
  auto* lock = reinterpret_cast<Lock*>(memory);
  EXPECT_TRUE(lock->test());
  EXPECT_FALSE(lock->test());
  lock->unset();
  EXPECT_TRUE(lock->test());
}

// What waiters left of themselves, in a child of fork() say: nobody comes but those who test.
TEST(Lock, OneForANextThatDoesNotComeIsFreeForWhoeverTests) {
  constexpr uint32_t kOneWaiterThatIsNext = 8 + 2;
  for (bool (Lock::*attempt)() : {&Lock::test, &Lock::try_set}) {
    Lock lock;
    static_assert(sizeof lock == sizeof kOneWaiterThatIsNext);
    memcpy(static_cast<void*>(&lock), &kOneWaiterThatIsNext, sizeof lock);
    EXPECT_TRUE((lock.*attempt)());
    EXPECT_FALSE((lock.*attempt)());
    lock.unset();
    EXPECT_TRUE((lock.*attempt)());
  }
}

TEST(Lock, OneForANextThatDoesNotComeIsForWhoeverWaits) {
  constexpr uint32_t kOneWaiterThatIsNext = 8 + 2;
  Lock lock;
  memcpy(static_cast<void*>(&lock), &kOneWaiterThatIsNext, sizeof lock);
  run_threads(3, [&] {
    for (int i = 0; i < 100; ++i) {
      lock.set();
      lock.unset();
    }
  });
  EXPECT_TRUE(lock.test());
}

TEST(Lock, OneThatIsFreeIsDestroyedWithoutAWord) {
  for (uint32_t word : {0u, 8u + 2, 1u}) {  // free, for a next that does not come, held
    Lock lock;
    static_assert(sizeof lock == sizeof word);
    memcpy(static_cast<void*>(&lock), &word, sizeof lock);
    testing::internal::CaptureStderr();
    lock.destroy();
    EXPECT_EQ(testing::internal::GetCapturedStderr().empty(), (word & 1) == 0) << word;
  }
}

TEST(Lock, ExcludesThreads) {
  Lock lock;
  lock.init();
  long counter = 0;
  run_threads(4, [&] {
    for (int i = 0; i < 20000; ++i) {
      lock.set();
      ++counter;
      lock.unset();
    }
  });
  EXPECT_EQ(counter, 80000);
  EXPECT_TRUE(lock.test()) << "free in the end";
}

TEST(Lock, WaitersSleepThroughLongSections) {
  Lock lock;
  lock.init();
  int inside = 0, most = 0;
  run_threads(3, [&] {
    for (int i = 0; i < 5; ++i) {
      lock.set();
      most = std::max(most, ++inside);
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      --inside;
      lock.unset();
    }
  });
  EXPECT_EQ(most, 1);
}

TEST(LockDeath, NeverInitialised) {
  EXPECT_DEATH(
      {
        Lock lock;
        std::memset(static_cast<void*>(&lock), 0xab, sizeof lock);
        lock.set();
      },
      "never initialised");
  EXPECT_DEATH(
      {
        Lock lock;
        std::memset(static_cast<void*>(&lock), 0xab, sizeof lock);
        lock.unset();
      },
      "never initialised");
  EXPECT_DEATH(
      {
        NestLock lock;
        uint64_t garbage = 0xabab000000000000;
        std::memcpy(static_cast<void*>(&lock), &garbage, sizeof lock);
        lock.set(self_or_attach());
      },
      "never initialised");
}

TEST(NestLock, CountsItsOwner) {
  NestLock lock;
  lock.init();
  alignas(16) int me, other;
  EXPECT_EQ(lock.set(&me), 1);
  EXPECT_EQ(lock.set(&me), 2);
  EXPECT_EQ(lock.test(&me), 3);
  EXPECT_EQ(lock.test(&other), 0);
  EXPECT_EQ(lock.unset(&other), 0) << "not its owner: no effect";
  EXPECT_EQ(lock.unset(&me), 2);
  EXPECT_EQ(lock.unset(&me), 1);
  EXPECT_EQ(lock.test(&other), 0);
  EXPECT_EQ(lock.unset(&me), 0);
  EXPECT_EQ(lock.test(&other), 1);
}

TEST(NestLock, ExcludesThreads) {
  NestLock lock;
  lock.init();
  long counter = 0;
  run_threads(4, [&] {
    const void* owner = self_or_attach();
    for (int i = 0; i < 10000; ++i) {
      lock.set(owner);
      lock.set(owner);
      ++counter;
      lock.unset(owner);
      lock.unset(owner);
    }
  });
  EXPECT_EQ(counter, 40000);
  EXPECT_EQ(lock.test(&counter), 1) << "free in the end";
}

TEST(NestLock, DeepNesting) {
  NestLock lock;
  lock.init();
  alignas(16) int me;
  for (int i = 1; i <= 500000; ++i) ASSERT_EQ(lock.set(&me), i);
  for (int i = 499999; i >= 0; --i) ASSERT_EQ(lock.unset(&me), i);
}

}  // namespace
}  // namespace tulle::omp
