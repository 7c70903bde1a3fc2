// SPDX-License-Identifier: Apache-2.0
// Lookup of a thread's copy by original, by any thread's copy, and through enclosing constructs.
#include "omp/worksharing/reduction.h"

#include <gtest/gtest.h>

namespace tulle::omp {
namespace {

constexpr unsigned kThreads = 3;
constexpr size_t kShare = 128;

// A construct with two parts, of two items each.
class Construct {
 public:
  explicit Construct(ReductionSet* outer = nullptr) : set_(new_reduction_set(outer, 2)) {
    for (int part = 0; part < 2; ++part) {
      for (int i = 0; i < 2; ++i)
        items_[part][i] = {&originals[part * 2 + i], static_cast<uintptr_t>(i * 8), 0};
      char* copies = new_reduction_copies(256, kShare, kThreads);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(copies) % 256, 0u);
      set_->parts[part] = {items_[part], 2, copies, kShare, kShare * kThreads};
    }
  }
  ~Construct() {
    for (size_t i = 0; i < set_->count; ++i) free_reduction_copies(set_->parts[i].copies);
    free_reduction_set(set_);
  }

  ReductionSet* set() { return set_; }
  char* copy(int item, unsigned thread) {
    return set_->parts[item / 2].copies + thread * kShare + item % 2 * 8;
  }

  long originals[4] = {};

 private:
  ReductionItem items_[2][2];
  ReductionSet* set_;
};

TEST(Reduction, CopiesAreZero) {
  Construct construct;
  for (int item = 0; item < 4; ++item)
    for (unsigned thread = 0; thread < kThreads; ++thread)
      EXPECT_EQ(*reinterpret_cast<long*>(construct.copy(item, thread)), 0);
}

TEST(Reduction, OriginalsAndAnyThreadsCopiesLeadToTheThreadsCopy) {
  Construct construct;
  for (int item = 0; item < 4; ++item)
    for (unsigned thread = 0; thread < kThreads; ++thread) {
      void* addresses[] = {&construct.originals[item], construct.copy(item, 0),
                           construct.copy(item, 2)};
      for (void* address : addresses) {
        ReductionCopy found = find_reduction_copy(construct.set(), address, thread);
        EXPECT_EQ(found.copy, construct.copy(item, thread));
        EXPECT_EQ(found.original, &construct.originals[item]);
      }
    }
}

TEST(Reduction, EnclosingConstructsAreSearchedFromTheInside) {
  Construct outer;
  Construct inner(outer.set());
  EXPECT_EQ(find_reduction_copy(inner.set(), &inner.originals[3], 1).copy, inner.copy(3, 1));
  EXPECT_EQ(find_reduction_copy(inner.set(), &outer.originals[3], 1).copy, outer.copy(3, 1));
  EXPECT_EQ(find_reduction_copy(outer.set(), &inner.originals[3], 1).copy, nullptr);
}

TEST(Reduction, TheInnerOfTwoConstructsOverOneItemWins) {
  Construct outer;
  Construct inner(outer.set());
  ReductionItem same = {&outer.originals[0], 0, 0};
  inner.set()->parts[0].items = &same;
  inner.set()->parts[0].count = 1;
  EXPECT_EQ(find_reduction_copy(inner.set(), &outer.originals[0], 2).copy, inner.copy(0, 2));
}

TEST(Reduction, UnknownAddresses) {
  Construct construct;
  long stranger = 0;
  EXPECT_EQ(find_reduction_copy(nullptr, &stranger, 0).copy, nullptr);
  EXPECT_EQ(find_reduction_copy(construct.set(), &stranger, 0).copy, nullptr);
  EXPECT_EQ(find_reduction_copy(construct.set(), construct.copy(1, 0) + 1, 0).copy, nullptr);
  char* end = construct.copy(0, 0) + kShare * kThreads;
  EXPECT_EQ(find_reduction_copy(construct.set(), end, 0).original, nullptr);
}

}  // namespace
}  // namespace tulle::omp
