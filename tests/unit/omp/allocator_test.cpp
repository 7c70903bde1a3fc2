// SPDX-License-Identifier: Apache-2.0
// Traits, fallbacks, pools and headers of the memory allocators, in the numbers of omp.h.
#include "omp/data/allocator.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace tulle::omp {
namespace {

constexpr int32_t kSync = 1, kAlign = 2, kAccess = 3, kPool = 4, kFallback = 5, kFbData = 6,
                  kPinned = 7, kPartition = 8;
constexpr uintptr_t kNullFb = 12, kAbortFb = 13, kAllocatorFb = 14, kDefault = UINTPTR_MAX;

AllocatorHandle make(std::vector<AllocatorTrait> traits, MemspaceHandle space = 0) {
  return init_allocator(space, static_cast<int>(traits.size()), traits.data());
}

uintptr_t misalignment(const void* block, size_t alignment) {
  return reinterpret_cast<uintptr_t>(block) % alignment;
}

// Writes the whole block, reads it back and frees it.
void use_and_free(void* block, size_t size) {
  ASSERT_NE(block, nullptr);
  memset(block, 0x5a, size);
  EXPECT_EQ(static_cast<unsigned char*>(block)[size - 1], 0x5a);
  deallocate(block);
}

TEST(Allocator, EveryPredefinedOneGivesMemory) {
  for (AllocatorHandle handle : {1, 2, 3, 4, 5, 6, 7, 8, 100, 101, 102, 201}) {
    EXPECT_TRUE(is_predefined_allocator(handle));
    void* block = allocate(1, 100, handle);
    EXPECT_EQ(allocator_of(block), handle);
    EXPECT_EQ(misalignment(block, 16), 0u);
    use_and_free(block, 100);
  }
  EXPECT_FALSE(is_predefined_allocator(0));
  EXPECT_FALSE(is_predefined_allocator(9));
}

TEST(Allocator, EveryAlignmentIsKept) {
  for (size_t alignment = 1; alignment <= 65536; alignment *= 2)
    for (size_t size : {1, 24, 4097}) {
      void* block = allocate(alignment, size, kDefaultMemAlloc);
      EXPECT_EQ(misalignment(block, alignment), 0u);
      use_and_free(block, size);
    }
}

TEST(Allocator, AskedForNothingOrAnOddAlignment) {
  EXPECT_EQ(allocate(1, 0, kDefaultMemAlloc), nullptr);
  EXPECT_EQ(allocate(24, 8, kDefaultMemAlloc), nullptr);
  EXPECT_EQ(allocate(0, 8, kDefaultMemAlloc), nullptr);
  EXPECT_EQ(allocate_zeroed(8, 0, 8, kDefaultMemAlloc), nullptr);
  deallocate(nullptr);
}

TEST(Allocator, TraitAlignmentIsALowerBound) {
  AllocatorHandle handle = make({{kAlign, 256}});
  void* small = allocate(8, 10, handle);
  void* large = allocate(1024, 10, handle);
  EXPECT_EQ(misalignment(small, 256), 0u);
  EXPECT_EQ(misalignment(large, 1024), 0u);
  deallocate(small);
  deallocate(large);
  destroy_allocator(handle);
}

TEST(Allocator, BothNumberingsOfSpacesAndAccess) {
  for (MemspaceHandle space : {0, 1, 2, 3, 4, 99, 100, 101, 102, 200}) {
    AllocatorHandle handle = make({{kAccess, 7}, {kAccess, 19}}, space);
    EXPECT_NE(handle, kNullAllocator) << space;
    destroy_allocator(handle);
  }
  EXPECT_EQ(make({}, 5), kNullAllocator);
  EXPECT_EQ(make({}, 98), kNullAllocator);
}

TEST(Allocator, EveryDefaultValueIsAccepted) {
  for (int32_t key = 1; key <= 14; ++key) {
    AllocatorHandle handle = make({{key, kDefault}});
    EXPECT_NE(handle, kNullAllocator) << key;
    use_and_free(allocate(1, 10, handle), 10);
    destroy_allocator(handle);
  }
}

TEST(Allocator, UnknownTraitsMakeNoAllocator) {
  EXPECT_EQ(make({{0, 1}}), kNullAllocator);
  EXPECT_EQ(make({{15, 1}}), kNullAllocator);
  EXPECT_EQ(make({{kSync, 2}}), kNullAllocator);
  EXPECT_EQ(make({{kSync, 7}}), kNullAllocator);
  EXPECT_EQ(make({{kAlign, 48}}), kNullAllocator);
  EXPECT_EQ(make({{kAlign, 0}}), kNullAllocator);
  EXPECT_EQ(make({{kAccess, 11}}), kNullAllocator);
  EXPECT_EQ(make({{kFallback, 10}}), kNullAllocator);
  EXPECT_EQ(make({{kFallback, kAllocatorFb}}), kNullAllocator);
  EXPECT_EQ(make({{kPinned, 2}}), kNullAllocator);
  EXPECT_EQ(make({{kPartition, 19}}), kNullAllocator);
}

TEST(Allocator, APoolIsFilledAndRefilled) {
  AllocatorHandle handle = make({{kPool, 4096}, {kFallback, kNullFb}});
  void* first = allocate(1, 3072, handle);
  ASSERT_NE(first, nullptr);
  EXPECT_EQ(allocate(1, 1025, handle), nullptr);
  void* rest = allocate(1, 1024, handle);
  ASSERT_NE(rest, nullptr);
  deallocate(first);
  first = allocate(1, 3072, handle);
  use_and_free(first, 3072);
  use_and_free(rest, 1024);
  destroy_allocator(handle);
}

TEST(Allocator, FallbackGoesToTheDefaultMemoryWithTheSameAlignment) {
  AllocatorHandle handle = make({{kPool, 16}, {kAlign, 512}});
  void* block = allocate(1, 17, handle);
  EXPECT_EQ(allocator_of(block), kDefaultMemAlloc);
  EXPECT_EQ(misalignment(block, 512), 0u);
  use_and_free(block, 17);
  destroy_allocator(handle);
}

TEST(Allocator, FallbackFollowsAChainOfAllocators) {
  AllocatorHandle last = make({{kFallback, kNullFb}, {kPool, 300}});
  AllocatorHandle middle = make({{kFallback, kAllocatorFb}, {kFbData, last}, {kPool, 200}});
  AllocatorHandle first = make({{kFallback, kAllocatorFb}, {kFbData, middle}, {kPool, 100}});
  void* blocks[] = {allocate(1, 100, first), allocate(1, 200, first), allocate(1, 300, first)};
  EXPECT_EQ(allocator_of(blocks[0]), first);
  EXPECT_EQ(allocator_of(blocks[1]), middle);
  EXPECT_EQ(allocator_of(blocks[2]), last);
  EXPECT_EQ(allocate(1, 1, first), nullptr);
  for (void* block : blocks) deallocate(block);
  for (AllocatorHandle handle : {first, middle, last}) destroy_allocator(handle);
}

TEST(AllocatorDeathTest, AbortFallbackSaysHowMuch) {
  AllocatorHandle handle = make({{kPool, 16}, {kFallback, kAbortFb}});
  EXPECT_DEATH(allocate(1, 17, handle), "out of memory.*17 bytes");
  destroy_allocator(handle);
}

TEST(Allocator, ZeroedIsZeroAndOverflowIsNull) {
  AllocatorHandle pooled = make({{kPool, 1 << 20}, {kFallback, kNullFb}});
  for (AllocatorHandle handle : {kDefaultMemAlloc, pooled}) {
    auto* bytes = static_cast<unsigned char*>(allocate_zeroed(128, 1000, 33, handle));
    ASSERT_NE(bytes, nullptr);
    for (int i = 0; i < 33000; ++i) ASSERT_EQ(bytes[i], 0);
    use_and_free(bytes, 33000);
    EXPECT_EQ(allocate_zeroed(1, SIZE_MAX / 2, 3, handle), nullptr);
  }
  destroy_allocator(pooled);
}

TEST(Allocator, HugeRequestsAreNull) {
  EXPECT_EQ(allocate(64, SIZE_MAX - 40, kDefaultMemAlloc), nullptr);
  EXPECT_EQ(allocate(1, SIZE_MAX, kDefaultMemAlloc), nullptr);
}

TEST(Allocator, ReallocateKeepsContentsAndMovesBetweenAllocators) {
  AllocatorHandle handle = make({{kAlign, 128}, {kPool, 1000}, {kFallback, kNullFb}});
  auto* text = static_cast<char*>(reallocate(nullptr, 6, kDefaultMemAlloc));
  strcpy(text, "tulle");
  text = static_cast<char*>(reallocate(text, 900, handle));
  EXPECT_STREQ(text, "tulle");
  EXPECT_EQ(allocator_of(text), handle);
  EXPECT_EQ(misalignment(text, 128), 0u);
  EXPECT_EQ(reallocate(text, 2000, kNullAllocator), nullptr);
  EXPECT_STREQ(text, "tulle");
  text = static_cast<char*>(reallocate(text, 50, kNullAllocator));
  EXPECT_STREQ(text, "tulle");
  void* rest = allocate(1, 950, handle);
  EXPECT_NE(rest, nullptr) << "what the block gave up is free again";
  text = static_cast<char*>(reallocate(text, 6, handle));
  EXPECT_STREQ(text, "tulle");
  deallocate(rest);
  deallocate(text);
  destroy_allocator(handle);
}

TEST(Allocator, ReallocateToNothingFrees) {
  AllocatorHandle handle = make({{kPool, 100}, {kFallback, kNullFb}});
  EXPECT_EQ(reallocate(allocate(1, 100, handle), 0, kNullAllocator), nullptr);
  use_and_free(allocate(1, 100, handle), 100);
  destroy_allocator(handle);
}

TEST(Allocator, PinnedAndSpreadMemory) {
  for (uintptr_t partition : {15, 16, 17, 18})
    for (uintptr_t pinned : {0, 1}) {
      AllocatorHandle handle = make({{kPartition, partition}, {kPinned, pinned}});
      void* block = allocate(8192, 20000, handle);
      EXPECT_EQ(misalignment(block, 8192), 0u);
      use_and_free(block, 20000);
      destroy_allocator(handle);
    }
  use_and_free(allocate(1, 100, kGnuPinnedMemAlloc), 100);
}

TEST(Allocator, APoolStaysWithinItsLimitUnderThreads) {
  constexpr size_t kBlock = 64, kBlocks = 10;
  AllocatorHandle handle = make({{kPool, kBlock * kBlocks}, {kFallback, kNullFb}});
  std::atomic<int> live{0}, most{0}, given{0};
  auto work = [&] {
    for (int i = 0; i < 20000; ++i) {
      void* blocks[4];
      for (void*& block : blocks) {
        block = allocate(1, kBlock, handle);
        if (block == nullptr) continue;
        given.fetch_add(1);
        int now = live.fetch_add(1) + 1;
        for (int seen = most.load(); seen < now && !most.compare_exchange_weak(seen, now);) {
        }
      }
      for (void* block : blocks) {
        if (block == nullptr) continue;
        live.fetch_sub(1);
        deallocate(block);
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most.load(), static_cast<int>(kBlocks));
  EXPECT_GT(given.load(), 20000);
  void* all = allocate(1, kBlock * kBlocks, handle);
  EXPECT_NE(all, nullptr) << "every byte came back";
  EXPECT_EQ(allocate(1, 1, handle), nullptr);
  deallocate(all);
  destroy_allocator(handle);
}

}  // namespace
}  // namespace tulle::omp
