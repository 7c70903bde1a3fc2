// SPDX-License-Identifier: Apache-2.0
// The set of allocatables against std::set, over seeded sequences that collide and grow.
#include "omp/data/allocated_set.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <set>

namespace tulle::omp {
namespace {

void* at(uintptr_t n) { return reinterpret_cast<void*>(n * 16); }

TEST(AllocatedSet, NullAndUnknown) {
  remember_allocated(nullptr);
  EXPECT_FALSE(forget_allocated(nullptr));
  EXPECT_FALSE(forget_allocated(at(1)));
}

TEST(AllocatedSet, RememberedTwiceIsForgottenOnce) {
  remember_allocated(at(7));
  remember_allocated(at(7));
  EXPECT_TRUE(forget_allocated(at(7)));
  EXPECT_FALSE(forget_allocated(at(7)));
}

class AllocatedSetSeeds : public ::testing::TestWithParam<unsigned> {};

TEST_P(AllocatedSetSeeds, AgreesWithASet) {
  std::mt19937_64 random(GetParam());
  std::set<void*> model;
  uintptr_t range = GetParam() % 2 == 0 ? 60 : 5000;
  for (int i = 0; i < 40000; ++i) {
    void* block = at(1 + random() % range);
    if (random() % 2 == 0) {
      remember_allocated(block);
      model.insert(block);
    } else {
      ASSERT_EQ(forget_allocated(block), model.erase(block) == 1) << "step " << i;
    }
  }
  for (void* block : model) ASSERT_TRUE(forget_allocated(block));
}

INSTANTIATE_TEST_SUITE_P(Seeds, AllocatedSetSeeds, ::testing::Range(0u, 8u));

}  // namespace
}  // namespace tulle::omp
