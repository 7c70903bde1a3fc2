// SPDX-License-Identifier: Apache-2.0
// Ranges that have counterparts: how they are found, kept in order and given up.
#include "offload/mapping_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "base/create.h"

namespace tulle::offload {
namespace {

struct MappingTableTest : testing::Test {
  MappingTable table;
  char host[1000];
  char device[1000];

  Mapping* add(size_t begin, size_t bytes, Block* block = nullptr) {
    return table.insert(host + begin, bytes, device + begin, block, 1);
  }
  Mapping* find(size_t begin, size_t bytes) const { return table.find(host + begin, bytes); }
  ~MappingTableTest() override {
    while (table.size() != 0) table.erase(*table.begin());
  }
};

TEST_F(MappingTableTest, FindsWhatLiesInOneRange) {
  Mapping* low = add(100, 50);
  Mapping* high = add(200, 50);
  EXPECT_EQ(find(100, 50), low);
  EXPECT_EQ(find(120, 30), low);
  EXPECT_EQ(find(249, 1), high);
  EXPECT_EQ(find(120, 31), nullptr);
  EXPECT_EQ(find(99, 2), nullptr);
  EXPECT_EQ(find(150, 1), nullptr);
  EXPECT_EQ(low->at(host + 130), device + 130);
}

TEST_F(MappingTableTest, NoBytesAreInARangeOrAtItsEnd) {
  Mapping* low = add(100, 50);
  Mapping* next = add(150, 50);
  EXPECT_EQ(find(100, 0), low);
  EXPECT_EQ(find(150, 0), next);
  EXPECT_EQ(find(200, 0), next);
  EXPECT_EQ(find(99, 0), nullptr);
  EXPECT_EQ(find(201, 0), nullptr);
}

TEST_F(MappingTableTest, FindsTheFirstThatOverlaps) {
  Mapping* low = add(100, 50);
  Mapping* high = add(200, 50);
  EXPECT_EQ(table.find_any(host + 90, 11), low);
  EXPECT_EQ(table.find_any(host + 90, 10), nullptr);
  EXPECT_EQ(table.find_any(host + 149, 100), low);
  EXPECT_EQ(table.find_any(host + 150, 51), high);
  EXPECT_EQ(table.find_any(host + 250, 10), nullptr);
}

TEST_F(MappingTableTest, GivesTheBlockBackWithTheLastRangeInIt) {
  Block* block = create<Block>(Block{device, 0});
  Mapping* a = add(0, 10, block);
  Mapping* b = add(20, 10, block);
  EXPECT_EQ(block->mappings, 2u);
  EXPECT_EQ(table.erase(a), nullptr);
  EXPECT_EQ(table.erase(b), block);
  destroy(block);
}

// In any order of coming and going the ranges stay sorted, and each is found by each of its bytes.
TEST_F(MappingTableTest, StaysInOrder) {
  std::mt19937 random(17);
  std::vector<Mapping*> present(100, nullptr);
  for (int step = 0; step < 20000; ++step) {
    size_t slot = random() % present.size();
    if (present[slot] == nullptr) {
      present[slot] = add(10 * slot, 1 + random() % 10);
    } else {
      table.erase(present[slot]);
      present[slot] = nullptr;
    }
    size_t at = 10 * (random() % present.size());
    EXPECT_EQ(find(at, 1), present[at / 10]);
  }
  EXPECT_TRUE(std::is_sorted(table.begin(), table.end(), [](auto* a, auto* b) { return a->begin < b->begin; }));
  EXPECT_EQ(table.size(), present.size() - static_cast<size_t>(std::count(present.begin(), present.end(), nullptr)));
}

}  // namespace
}  // namespace tulle::offload
