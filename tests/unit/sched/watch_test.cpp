// SPDX-License-Identifier: Apache-2.0
// An OS thread that waits in a loop, one that computes, one that sleeps, and a program that handles the
// signal itself.
#include "sched/watch.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <thread>

#include "os/clock.h"
#include "os/registers.h"
#include "os/thread.h"

namespace tulle::sched {
namespace {

constexpr uint64_t kInterval = 500000;  // ns of CPU time
constexpr uint64_t kPatience = 20000000000;

// What `code(end)` is found to do; it returns when `end` is set. Unknown: nothing was found in time.
Advance watched(void (*code)(const std::atomic<bool>& end), uint64_t patience = kPatience) {
  static Watch watch;  // its answer may be late
  watch.begin();
  std::atomic<bool> end{false};
  std::atomic<int> kernel_id{0};
  std::thread thread([&] {
    kernel_id.store(os::kernel_thread_id());
    code(end);
  });
  while (kernel_id.load() == 0) usleep(100);
  Advance found = Advance::unknown;
  for (uint64_t begin = os::now(); found == Advance::unknown && os::now() - begin < patience;) {
    usleep(2000);
    found = watch.look(kernel_id.load(), os::cpu_time_of(kernel_id.load()), kInterval);
  }
  end.store(true);
  thread.join();
  return found;
}

// As a program has it, whatever this one is built with: instrumented or unoptimised the loop has so many
// instructions that a few looks need not find one twice.
__attribute__((optimize("O2"), no_sanitize_address, no_sanitize_undefined)) void wait_in_place(
    const std::atomic<bool>& end) {
  static_assert(sizeof end == sizeof(bool));
  while (!__atomic_load_n(reinterpret_cast<const bool*>(&end), __ATOMIC_ACQUIRE)) {
  }
}

void compute(const std::atomic<bool>& end) {
  uint64_t number = 1;
  volatile uint64_t result;
  while (!end.load(std::memory_order_acquire)) {
    for (int i = 0; i < 1000; ++i) number = number * 6364136223846793005u + 1442695040888963407u;
    result = number;
  }
  (void)result;
}

void sleep_often(const std::atomic<bool>& end) {
  while (!end.load(std::memory_order_acquire)) usleep(50);
}

#ifndef __SANITIZE_THREAD__  // which holds signals back while a thread calls nothing
TEST(Watch, ALoopThatWaitsIsInPlace) { EXPECT_EQ(watched(wait_in_place), Advance::in_place); }

TEST(Watch, WhoComputesGoesOn) { EXPECT_EQ(watched(compute), Advance::onwards); }
#endif

TEST(Watch, NothingIsSaidOfSystemCalls) {
  EXPECT_EQ(watched(sleep_often, 300000000), Advance::unknown);
}

TEST(Registers, AProgramKeepsItsOwnHandler) {
  static std::atomic<uint64_t> answer{0};
  struct sigaction own = {}, before, after;
  own.sa_handler = [](int) {};
  sigaction(SIGURG, &own, &before);
  EXPECT_FALSE(os::ask_for_registers(os::kernel_thread_id(), answer));
  sigaction(SIGURG, &before, &after);
  EXPECT_EQ(after.sa_handler, own.sa_handler);
  EXPECT_EQ(answer.load(), 0u);
}

TEST(Registers, WhoIsAskedAnswers) {
  static std::atomic<uint64_t> answer{0};
  ASSERT_TRUE(os::ask_for_registers(os::kernel_thread_id(), answer));
  for (int i = 0; i < 1000 && answer.load() == 0; ++i) usleep(1000);
  EXPECT_NE(answer.load(), 0u);
}

TEST(Registers, AnotherSignalOfThatNumberIsNotAnswered) {
  static std::atomic<uint64_t> answer{0};
  ASSERT_TRUE(os::ask_for_registers(os::kernel_thread_id(), answer));
  for (int i = 0; i < 1000 && answer.load() == 0; ++i) usleep(1000);
  answer.store(0);
  sigval value;
  value.sival_ptr = &answer;
  sigqueue(getpid(), SIGURG, value);
  raise(SIGURG);
  usleep(10000);
  EXPECT_EQ(answer.load(), 0u);
}

}  // namespace
}  // namespace tulle::sched
