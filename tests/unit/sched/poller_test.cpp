// SPDX-License-Identifier: Apache-2.0
#include "sched/poller.h"

#include <gtest/gtest.h>

namespace tulle::sched {
namespace {

struct Source {
  int asked = 0;
  int comes_at = 0;  // the question that it answers
};

int ask(void* argument) {
  auto* source = static_cast<Source*>(argument);
  return ++source->asked == source->comes_at ? 1 : 0;
}

// For good: there is no taking pollers back.
Source& source() {
  static Source one;
  static bool known = register_poller(ask, &one);
  EXPECT_TRUE(known);
  return one;
}

TEST(Poller, IsAskedAndSaysWhetherSomethingCame) {
  Source& one = source();
  one = {0, 2};
  EXPECT_FALSE(ask_pollers());
  EXPECT_TRUE(ask_pollers());
  EXPECT_EQ(one.asked, 2);
}

TEST(Poller, IsNotAskedAgainBeforeThePatienceIsOver) {
  Source& one = source();
  ask_pollers();
  one.asked = 0;
  EXPECT_FALSE(ask_pollers_after(uint64_t{1} << 50));
  EXPECT_EQ(one.asked, 0);
  ask_pollers_after(0);
  EXPECT_EQ(one.asked, 1);
}

TEST(Poller, OneOfThoseWhoSleepMayWatch) {
  ASSERT_TRUE(take_watch());
  EXPECT_FALSE(take_watch());
  EXPECT_TRUE(is_watched());
  end_watch();
  EXPECT_FALSE(is_watched());
  EXPECT_TRUE(take_watch());
  end_watch();
}

}  // namespace
}  // namespace tulle::sched
