// SPDX-License-Identifier: Apache-2.0
// After the last test of the program nothing is suspended any more, no team is in use but that of the
// initial thread, and no team was given back while a task of it was not complete.
#include <gtest/gtest.h>

#include "memory/stack_pool.h"
#include "omp/region/cached_teams.h"
#include "omp/region/process.h"
#include "omp/thread/team.h"

namespace tulle::omp {
namespace {

class NothingLeft : public ::testing::Environment {
 public:
  void TearDown() override {
    EXPECT_EQ(memory::suspended_stacks(), 0u);
    ASSERT_TRUE(pause(false));
    LeftOver left = left_over();
    EXPECT_EQ(left.teams, self() == nullptr ? 0u : 1u);
    EXPECT_EQ(left.tasks, 0u);
  }
};

[[maybe_unused]] auto* const environment = ::testing::AddGlobalTestEnvironment(new NothingLeft);

}  // namespace
}  // namespace tulle::omp
