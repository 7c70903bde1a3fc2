// SPDX-License-Identifier: Apache-2.0
#include "ult/tls_block.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "arch/cpu.h"
#include "ult/sanitizer.h"

namespace tulle::ult {
namespace {

std::atomic<int> ended{0};

struct CountsItsEnd {
  ~CountsItsEnd() { ++ended; }
};

thread_local int number = 1;
thread_local CountsItsEnd guard;

// Out of line: compilers keep addresses of thread-local data.
__attribute__((noinline)) int set_number(int value) {
  asm volatile("");
  return number = value;
}
__attribute__((noinline)) int get_number() {
  asm volatile("");
  return number;
}
__attribute__((noinline)) void use_guard() { asm volatile("" ::"r"(&guard)); }

// Calls body() under the block.
template <class Body>
void under(const TlsBlock* block, Body body) {
  uintptr_t own = arch::tls_base();
  arch::set_tls_base(block->base);
  body();
  arch::set_tls_base(own);
}

// A sanitizer knows threads by their blocks and stacks, and would have to be told as the scheduler tells it.
struct TlsBlockTest : testing::Test {
  void SetUp() override {
    if (sanitized) GTEST_SKIP() << "under a sanitizer";
  }
};

TEST_F(TlsBlockTest, HasItsOwnCopiesAsAThreadFindsThem) {
  TlsBlock* block = take_tls_block();
  ASSERT_NE(block, nullptr);
  ASSERT_NE(block->base, arch::tls_base());
  set_number(7);
  int fresh = 0, kept = 0;
  under(block, [&] {
    fresh = get_number();
    set_number(8);
  });
  EXPECT_EQ(get_number(), 7);
  under(block, [&] { kept = get_number(); });
  EXPECT_EQ(fresh, 1);
  EXPECT_EQ(kept, 8);
  give_tls_block(block);
}

TEST_F(TlsBlockTest, DestructorsRunWhenItIsGivenBack) {
  ended = 0;
  TlsBlock* block = take_tls_block();
  ASSERT_NE(block, nullptr);
  under(block, use_guard);
  EXPECT_EQ(ended, 0);
  give_tls_block(block);
  for (int tries = 0; tries < 5000 && ended == 0; ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  EXPECT_EQ(ended, 1);
}

// Their stacks are as far from each other as they are large, which is a multiple of a cache's way.
TEST_F(TlsBlockTest, FramesBeginInDifferentSetsOfACache) {
  constexpr int kBlocks = 16;
  constexpr uintptr_t kWay = 4096, kLine = 64;
  std::vector<TlsBlock*> blocks;
  std::set<uintptr_t> sets;
  for (int i = 0; i < kBlocks; ++i) {
    TlsBlock* block = take_tls_block();
    ASSERT_NE(block, nullptr);
    ASSERT_NE(block->top, nullptr);
    blocks.push_back(block);
    sets.insert(reinterpret_cast<uintptr_t>(block->top) % kWay / kLine);
  }
  EXPECT_EQ(sets.size(), kBlocks);
  for (TlsBlock* block : blocks) give_tls_block(block);
}

}  // namespace
}  // namespace tulle::ult
