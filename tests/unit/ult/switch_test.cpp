// SPDX-License-Identifier: Apache-2.0
// Stacks that begin at an entry, are left with a commit on the other side, and end.
#include "ult/switch.h"

#include <fenv.h>
#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "kept_registers.h"

namespace tulle::ult {
namespace {

// The test's own stack, and one more, which go over to each other.
struct Pair {
  memory::Stack mine{};
  memory::Stack* running = &mine;
  void* home = nullptr;     // context of the test's frames
  StackContext other{};     // where the other stack's frames go on
  std::string said;

  explicit Pair(void (*entry)(void*)) : other(begin_at(memory::take_stack(), entry, this)) {}
  ~Pair() { memory::give_stack(other.stack); }
  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  void go(arch::Commit commit = nullptr, void* argument = nullptr) {
    switch_to(running, &home, other, commit, argument);
  }
  void back(arch::Commit commit = nullptr, void* argument = nullptr) {
    switch_to(running, &other.context, {&mine, home}, commit, argument);
  }
};

// A sanitizer knows threads by their blocks and stacks, and would have to be told as the scheduler tells it.
struct Switch : testing::Test {
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "under a sanitizer";
  }
};

TEST_F(Switch, FramesGoOnWhereTheyWereLeft) {
  Pair pair([](void* argument) {
    auto* pair = static_cast<Pair*>(argument);
    int local = 1;
    for (;;) {
      pair->said += std::to_string(local++);
      pair->back();
    }
  });
  for (int i = 0; i < 3; ++i) {
    pair.go();
    EXPECT_EQ(pair.running, &pair.mine);
  }
  EXPECT_EQ(pair.said, "123");
}

TEST_F(Switch, TheCommitRunsOnTheOtherStackOnceTheContextIsSaved) {
  Pair pair([](void* argument) {
    auto* pair = static_cast<Pair*>(argument);
    EXPECT_EQ(pair->said, "commit ");
    pair->said += "entry";
    pair->back();
  });
  pair.go(
      [](void* argument) {
        auto* pair = static_cast<Pair*>(argument);
        EXPECT_NE(pair->home, nullptr);
        auto* here = static_cast<char*>(__builtin_frame_address(0));
        EXPECT_GT(here, static_cast<char*>(pair->other.stack->lowest));
        EXPECT_LT(here, static_cast<char*>(pair->other.stack->top()));
        pair->said += "commit ";
      },
      &pair);
  EXPECT_EQ(pair.said, "commit entry");
}

TEST_F(Switch, AStackEndsByASwitchForGoodAndBeginsAnew) {
  auto entry = [](void* argument) {
    auto* pair = static_cast<Pair*>(argument);
    pair->said += "once ";
    switch_for_good(pair->running, {&pair->mine, pair->home}, nullptr, nullptr);
  };
  Pair pair(entry);
  pair.go();
  pair.other = begin_at(pair.other.stack, entry, &pair);
  pair.go();
  EXPECT_EQ(pair.said, "once once ");
}

TEST_F(Switch, FramesMayGoOnOnAnotherOsThread) {
  static thread_local int seen_by = 0;
  Pair pair([](void* argument) {
    auto* pair = static_cast<Pair*>(argument);
    pair->back();
    pair->said = "elsewhere";
    pair->back();
  });
  pair.go();
  std::thread other([&] {
    memory::Stack own{};
    pair.running = &own;
    switch_to(pair.running, &pair.home, pair.other, nullptr, nullptr);
    seen_by = 1;
  });
  other.join();
  EXPECT_EQ(pair.said, "elsewhere");
  EXPECT_EQ(seen_by, 0);
}

// Callee-saved registers are each frame's own.
TEST_F(Switch, KeepsWhatACallKeeps) {
  Pair pair([](void* argument) {
    auto* pair = static_cast<Pair*>(argument);
    for (;;) {
      change_kept_registers();
      long a = 11, b = 12, c = 13, d = 14, e = 15;
      asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));
      pair->back();
      asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));
      EXPECT_EQ(a + b + c + d + e, 65);
    }
  });
  long a = 1, b = 2, c = 3, d = 4, e = 5;
  for (int i = 0; i < 3; ++i) {
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));
    pair.go();
    asm volatile("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e));
  }
  EXPECT_EQ(a + b + c + d + e, 15);
}

// So are vector registers where calls keep them, and how floating-point operations are rounded.
TEST_F(Switch, KeepsFloatingPointStateOfFrames) {
  Pair pair([](void* argument) {
    auto* pair = static_cast<Pair*>(argument);
    EXPECT_EQ(fegetround(), FE_TONEAREST);
    fesetround(FE_UPWARD);
    for (;;) {
      change_kept_registers();
      pair->back();
      EXPECT_EQ(fegetround(), FE_UPWARD);
    }
  });
  volatile double unknown = 1;
  double a = unknown, b = unknown, c = unknown, d = unknown, e = unknown, f = unknown, g = unknown, h = unknown;
  for (int i = 1; i <= 3; ++i) {
    pair.go();
    EXPECT_EQ(fegetround(), FE_TONEAREST);
    a += i, b += i, c += i, d += i, e += i, f += i, g += i, h += i;
  }
  EXPECT_EQ(a + b + c + d + e + f + g + h, 8 * 7.0);
}

}  // namespace
}  // namespace tulle::ult
